#include "models/items/entrywindow.h"

#include <algorithm>

namespace daybook {

void EntryWindow::reset(QList<Entry> firstPage)
{
    m_size = static_cast<int>(firstPage.size());
    m_endKnown = m_size < pageSize;
    m_pages.clear();
    if (m_size > 0)
        m_pages.push_back({0, std::move(firstPage), ++m_uses});
}

int EntryWindow::loaded() const
{
    int count = 0;
    for (const Page &page : m_pages)
        count += page.end() - page.first;
    return count;
}

EntryWindow::Pages::const_iterator EntryWindow::pageAtOrAbove(int row) const
{
    const auto next = std::upper_bound(m_pages.begin(), m_pages.end(), row,
                                       [](int wanted, const Page &page) { return wanted < page.first; });
    return next == m_pages.begin() ? m_pages.end() : std::prev(next);
}

EntryWindow::Page &EntryWindow::pageOf(int row)
{
    return m_pages[static_cast<size_t>(pageAtOrAbove(row) - m_pages.cbegin())];
}

const Entry *EntryWindow::find(int row)
{
    const auto above = pageAtOrAbove(row);
    if (above == m_pages.end() || row >= above->end())
        return nullptr;
    pageOf(row).usedAt = ++m_uses;
    return &at(row);
}

const Entry &EntryWindow::at(int row) const
{
    const auto page = pageAtOrAbove(row);
    return page->entries.at(row - page->first);
}

QHash<ClientEntryId, int> EntryWindow::rows() const
{
    QHash<ClientEntryId, int> rows;
    rows.reserve(loaded());
    for (const Page &page : m_pages) {
        for (int i = 0; i < page.entries.size(); ++i)
            rows.insert(page.entries[i].id, page.first + i);
    }
    return rows;
}

EntryWindow::Gap EntryWindow::gapAt(int row) const
{
    const auto above = pageAtOrAbove(row);
    const auto below = above == m_pages.end() ? m_pages.begin() : std::next(above);
    const int aboveEnd = above == m_pages.end() ? 0 : above->end();
    const int belowFirst = below == m_pages.end() ? m_size : below->first;

    Gap gap;
    gap.first = std::max(aboveEnd, row / pageSize * pageSize);
    gap.length = std::min(belowFirst, gap.first + pageSize) - gap.first;
    if (gap.first == aboveEnd && above != m_pages.end())
        gap.after = keyOf(above->entries.last());
    return gap;
}

bool EntryWindow::fill(const Gap &gap, QList<Entry> entries)
{
    if (entries.size() != gap.length)
        return false;
    const auto below = std::find_if(m_pages.begin(), m_pages.end(),
                                    [&gap](const Page &page) { return page.first > gap.first; });
    const EntryKey first = keyOf(entries.first());
    const EntryKey last = keyOf(entries.last());
    if (below != m_pages.begin() && !comesBefore(keyOf(std::prev(below)->entries.last()), first))
        return false;
    if (below != m_pages.end() && !comesBefore(last, keyOf(below->entries.first())))
        return false;
    m_pages.insert(below, {gap.first, std::move(entries), ++m_uses});
    forgetUnused();
    return true;
}

std::optional<int> EntryWindow::placeOf(const EntryKey &key) const
{
    int knownUntil =
        0; // rows above here are placed for certain: the list starts there, or a page ended there
    for (const Page &page : m_pages) {
        if (comesBefore(key, keyOf(page.entries.first())))
            return page.first == knownUntil ? std::optional(page.first) : std::nullopt;
        if (!comesBefore(keyOf(page.entries.last()), key)) {
            const auto at = std::lower_bound(
                page.entries.begin(), page.entries.end(), key,
                [](const Entry &entry, const EntryKey &k) { return comesBefore(keyOf(entry), k); });
            return page.first + static_cast<int>(at - page.entries.begin());
        }
        knownUntil = page.end();
    }
    return m_endKnown && knownUntil == m_size ? std::optional(m_size) : std::nullopt;
}

void EntryWindow::replace(int row, const Entry &entry)
{
    Page &page = pageOf(row);
    page.entries[row - page.first] = entry;
}

void EntryWindow::shift(int row, int by)
{
    for (Page &page : m_pages) {
        if (page.first >= row)
            page.first += by;
    }
    m_size += by;
}

void EntryWindow::insert(int row, const QList<Entry> &entries)
{
    const auto page = std::find_if(m_pages.begin(), m_pages.end(),
                                   [row](const Page &p) { return p.first <= row && row <= p.end(); });
    const int count = static_cast<int>(entries.size());
    if (page == m_pages.end()) {
        const auto below =
            std::find_if(m_pages.begin(), m_pages.end(), [row](const Page &p) { return p.first > row; });
        const auto at = below - m_pages.begin();
        shift(row, count);
        m_pages.insert(m_pages.begin() + at, {row, entries, ++m_uses});
    } else {
        const int first = page->first;
        QList<Entry> &held = page->entries;
        held = held.first(row - first) + entries + held.sliced(row - first);
        shift(row, count);
        page->first = first;
    }
    splitLargePages();
    forgetUnused();
}

void EntryWindow::insertUnread(int row, int count) { shift(row, count); }

void EntryWindow::remove(int row, int count)
{
    const int end = row + count;
    for (Page &page : m_pages) {
        const int from = std::max(row, page.first);
        const int until = std::min(end, page.end());
        if (from < until)
            page.entries.remove(from - page.first, until - from);
        page.first = page.first <= row ? page.first : std::max(row, page.first - count);
    }
    std::erase_if(m_pages, [](const Page &page) { return page.entries.isEmpty(); });
    m_size -= count;
}

std::pair<int, int> EntryWindow::keepRecent()
{
    if (m_pages.empty())
        return {0, 0};
    const auto recent = std::max_element(m_pages.begin(), m_pages.end(),
                                         [](const Page &a, const Page &b) { return a.usedAt < b.usedAt; });
    auto first = recent;
    while (first != m_pages.begin() && std::prev(first)->end() == first->first)
        --first;
    auto end = std::next(recent);
    while (end != m_pages.end() && std::prev(end)->end() == end->first)
        ++end;
    m_pages = Pages(std::make_move_iterator(first), std::make_move_iterator(end));
    return {m_pages.front().first, m_pages.back().end() - m_pages.front().first};
}

void EntryWindow::splitLargePages()
{
    for (size_t i = 0; i < m_pages.size(); ++i) {
        if (m_pages[i].entries.size() <= 2 * pageSize)
            continue;
        Page rest{m_pages[i].first + pageSize, m_pages[i].entries.sliced(pageSize), m_pages[i].usedAt};
        m_pages[i].entries = m_pages[i].entries.first(pageSize);
        m_pages.insert(m_pages.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(rest));
    }
}

/// The first page stays: nearly everything new arrives there.
void EntryWindow::forgetUnused()
{
    while (m_pages.size() > maximumPages) {
        const auto begin = m_pages.begin() + (m_pages.front().first == 0 ? 1 : 0);
        m_pages.erase(std::min_element(begin, m_pages.end(),
                                       [](const Page &a, const Page &b) { return a.usedAt < b.usedAt; }));
    }
}

} // namespace daybook
