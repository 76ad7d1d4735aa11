#include "app/datafolder.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace daybook {

DataFolder::DataFolder(const QString &path)
{
    const QString chosen = path.isEmpty()
                               ? QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
                                     QStringLiteral("/daybook")
                               : path;
    const QString canonical = QFileInfo(chosen).canonicalFilePath(); // two spellings, one folder
    m_path = canonical.isEmpty() ? QDir::cleanPath(QFileInfo(chosen).absoluteFilePath()) : canonical;
}

QString DataFolder::databasePath() const { return m_path + QStringLiteral("/daybook.sqlite"); }

QString DataFolder::socketName() const
{
    const QByteArray hash =
        QCryptographicHash::hash(m_path.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    return QStringLiteral("daybook-") + QString::fromLatin1(hash);
}

} // namespace daybook
