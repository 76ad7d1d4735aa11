#pragma once

#include <QString>

namespace daybook {

/// Where one profile lives: the store and nothing secret (sessions are kept elsewhere, so that a copied
/// folder takes none along).
class DataFolder
{
public:
    /// \p path as given by `--data`; empty for the user's data folder.
    explicit DataFolder(const QString &path);

    const QString &path() const { return m_path; }
    QString databasePath() const;
    /// The name of the local socket by which programs on this folder find each other. Short, since socket
    /// paths are.
    QString socketName() const;

private:
    QString m_path; ///< absolute and cleaned; the folder need not exist yet
};

} // namespace daybook
