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
    // Two spellings, one folder, also while the last part of the way does not exist yet.
    QFileInfo there(QDir::cleanPath(QFileInfo(chosen).absoluteFilePath()));
    QString missing;
    while (!there.exists() && !there.isRoot()) {
        missing.prepend(QLatin1Char('/') + there.fileName());
        there = QFileInfo(there.path());
    }
    m_path = QDir::cleanPath(there.canonicalFilePath() + missing);
}

QString DataFolder::databasePath() const { return m_path + QStringLiteral("/daybook.sqlite"); }

QString DataFolder::socketName() const
{
    const QByteArray hash =
        QCryptographicHash::hash(m_path.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    return QStringLiteral("daybook-") + QString::fromLatin1(hash);
}

} // namespace daybook
