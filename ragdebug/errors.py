"""Every condition a user can meet, one class each.

A message says what happened and to which file, page or line; the hint says what to do about it.
"""

from __future__ import annotations


class RagDebugError(Exception):
    """Root of all errors that are shown to a user as they are.

    Attributes:
        message: what happened, to which file, page, line or setting.
        title: two to five words, the heading of the message on a page.
        hint: what the user can do now; empty when nothing helps.
    """

    default_title = "Something went wrong"

    def __init__(self, message: str, title: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.title = title or self.default_title
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class InvalidSetting(RagDebugError):
    """A setting, or a combination of settings, that cannot work."""

    default_title = "Setting refused"


# Documents ----------------------------------------------------------------------------------------


class DocumentError(RagDebugError):
    """A file that could not be read. Other files of the same call are not affected."""

    default_title = "File not read"


class UnsupportedFormat(DocumentError):
    """No parser knows this kind of file."""

    default_title = "Unknown kind of file"


class EncryptedDocument(DocumentError):
    """The file asks for a password."""

    default_title = "Password-protected"


class CorruptDocument(DocumentError):
    """The file is damaged, or is not what its name says."""

    default_title = "Damaged file"


class EmptyDocument(DocumentError):
    """The file holds no text at all."""

    default_title = "Empty file"


class DocumentTooLarge(DocumentError):
    """A limit on real bytes, inflated bytes, pages or line length was passed."""

    default_title = "Too large"


class UnsafeArchive(DocumentError):
    """An archive member whose name points outside the archive, or that inflates beyond reason."""

    default_title = "Unsafe archive"


class MissingFile(DocumentError):
    """A path that leads nowhere."""

    default_title = "No such file"


class ColumnNotFound(DocumentError):
    """No column of a file holds what is needed, or one that was named is not there."""

    default_title = "Column not found"


class DocumentNotFound(RagDebugError):
    """No document, or no version of it, has this id."""

    default_title = "No such document"


class MassRemoval(RagDebugError):
    """More than half of a folder's files are missing; removal needs a yes."""

    default_title = "Most files are missing"


class NameTaken(RagDebugError):
    """An upload has the name of a document that is already there: replace it or keep both."""

    default_title = "Name already used"


# Models -------------------------------------------------------------------------------------------


class ModelError(RagDebugError):
    """A model could not be loaded or used."""

    default_title = "Model not usable"


class ModelNotFound(ModelError):
    """The named model is neither embedded, nor a folder, nor in the local cache."""

    default_title = "Model not found"


class DownloadNotAllowed(ModelError):
    """The model would have to be fetched, and nobody agreed to that."""

    default_title = "Download not allowed"


class SendingNotAllowed(ModelError):
    """Texts would go to a model behind an address, and nobody agreed to that."""

    default_title = "Nothing sent yet"


class ModelChanged(ModelError):
    """The bytes of a model are not the ones that were published or used before."""

    default_title = "Model has changed"


class ModelMismatch(ModelError):
    """A query of one model would be compared with vectors of another."""

    default_title = "Two models mixed"


class IndexIncomplete(ModelError):
    """Vectors are missing for part of the chunks where all of them are needed."""

    default_title = "Index not complete"


# Other servers ------------------------------------------------------------------------------------


class AddressError(RagDebugError):
    """A server elsewhere was asked and gave no usable answer. No key stands in the message."""

    default_title = "Address not usable"


class KeyMissing(AddressError):
    """A server needs a key, and the environment variable that should hold it is not set."""

    default_title = "Key missing"


class KeyRefused(AddressError):
    """A server did not accept the key, or wants one."""

    default_title = "Key refused"


class AddressNotFound(AddressError):
    """The server does not know the path or the model."""

    default_title = "Not found at the address"


class AddressUnreachable(AddressError):
    """No connection, no safe connection, or no answer in time."""

    default_title = "Address not reached"


class TooManyRequests(AddressError):
    """The server asks for fewer requests, also after waiting."""

    default_title = "Too many requests"


class ServerFailed(AddressError):
    """The server had an error of its own, also after waiting."""

    default_title = "Server failed"


class RequestRefused(AddressError):
    """The server understood the request and refuses it; a text may be too long.

    Attributes:
        status: the HTTP status.
    """

    default_title = "Request refused"

    def __init__(self, message: str, title: str = "", hint: str = "", status: int = 0) -> None:
        super().__init__(message, title, hint)
        self.status = status


class AnswerNotUnderstood(AddressError):
    """The answer is no JSON, too long, or not of the form that was expected."""

    default_title = "Answer not understood"


# Search -------------------------------------------------------------------------------------------


class IndexNotReadable(RagDebugError):
    """A saved index is incomplete, damaged, or was made by other settings; it is built again."""

    default_title = "Saved index not usable"


class QuoteNotFound(RagDebugError):
    """The quote given as expected passage stands nowhere in the corpus."""

    default_title = "Quote not found"


class NotBrought(RagDebugError):
    """No pieces, list or searcher of another system has this name."""

    default_title = "Not here"


class SearcherFailed(RagDebugError):
    """Somebody's own search could not be loaded, raised an error, or gave no answer in time."""

    default_title = "Searcher failed"


class NotAgreed(RagDebugError):
    """Code would run or an address be asked, and nobody at this machine agreed to that."""

    default_title = "Not agreed yet"


class NothingToMeasure(RagDebugError):
    """There are no documents or no questions, so that there is nothing to evaluate."""

    default_title = "Nothing to evaluate"


# Store --------------------------------------------------------------------------------------------


class StoreError(RagDebugError):
    """The workspace's database could not be used."""

    default_title = "Store not usable"


class StoreBusy(StoreError):
    """Another program holds the database."""

    default_title = "Workspace in use"


class StoreDamaged(StoreError):
    """The database file cannot be read; it was kept as it is."""

    default_title = "Store damaged"


class StoreTooNew(StoreError):
    """The database was written by a newer version of this program."""

    default_title = "Store is newer"


class ChangedMeanwhile(StoreError):
    """Somebody else saved the same row first."""

    default_title = "Changed meanwhile"


class RunNotFound(StoreError):
    """No run, or more than one, has this id."""

    default_title = "No such run"


class SqlRefused(StoreError):
    """A query typed by a person that is not allowed, is wrong, or went over a limit."""

    default_title = "Query not run"


class NotACase(RagDebugError):
    """A file that holds no case, or one that this program does not read."""

    default_title = "Not a case file"


class Cancelled(RagDebugError):
    """The user stopped a long piece of work; what was finished is kept."""

    default_title = "Stopped"
