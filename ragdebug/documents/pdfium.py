"""The one door to pdfium: its lock, opening with our errors, and quick reads of one page.

pdfium is not thread-safe, not even for two documents: whatever calls it holds `LOCK`. It is held
for a page at a time, so that a page picture does not wait for a long parse. Handles are closed
here and never left to the garbage collector, which may run in any thread.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Protocol, cast

from ragdebug.errors import CorruptDocument, EncryptedDocument

LOCK = threading.RLock()
Box = tuple[float, float, float, float]  # left, bottom, right, top in points, y upwards

_api: ModuleType | None = None
_fast: dict[str, Callable[..., int]] = {}
_name = ctypes.create_string_buffer(96)  # where names of fonts arrive, under the lock


class PdfFile(Protocol):
    """What is used of a pypdfium2 document."""

    raw: object

    def __len__(self) -> int: ...

    def get_page_label(self, index: int) -> str:
        """What is printed on a page, as the file says."""
        ...

    def get_metadata_dict(self) -> dict[str, str]:
        """Document properties."""
        ...

    def close(self) -> None:
        """Free the document; pages must be closed before."""
        ...


def api() -> ModuleType:
    """The C functions of pdfium, loaded when first asked for."""
    global _api
    if _api is None:
        with LOCK:
            import pypdfium2  # noqa: F401  (initialises the library)
            import pypdfium2.raw as raw

            # Addresses go in as plain integers: an array is filled without an object a call.
            pointer, number = ctypes.c_void_p, ctypes.c_int
            box = _prototype(raw.FPDFText_GetLooseCharBox, pointer, number, pointer)
            rect = _prototype(raw.FPDFText_GetRect, pointer, number, *[pointer] * 4)
            size = ctypes.c_ulong
            font = _prototype(raw.FPDFText_GetFontInfo, pointer, number, pointer, size, pointer)
            _fast["box"], _fast["rect"], _fast["font"] = box, rect, font
            _api = raw
    return _api


def _prototype(function: object, *arguments: type) -> Callable[..., int]:
    return ctypes.CFUNCTYPE(ctypes.c_int, *arguments)(address_of(function))


def address_of(handle: object) -> int:
    """The address a handle or function of pdfium stands for; 0 for none."""
    if not handle:
        return 0
    return ctypes.cast(cast(ctypes.c_void_p, handle), ctypes.c_void_p).value or 0


@contextmanager
def opened(data: bytes, name: str, password: str = "") -> Iterator[PdfFile]:
    """A pypdfium2 document, closed at the end.

    A restriction by the owner alone (empty user password) asks for nothing, as in every viewer.

    Raises:
        EncryptedDocument: it needs a password, and `password` is not it.
        CorruptDocument: it is not a PDF, or too damaged to open.
    """
    api()
    with LOCK:
        document = _open(data, name, password)
    try:
        yield document
    finally:
        with LOCK:
            document.close()


def _open(data: bytes, name: str, password: str) -> PdfFile:
    import pypdfium2

    try:
        return cast(PdfFile, pypdfium2.PdfDocument(data, password=password or None))
    except pypdfium2.PdfiumError as e:
        code, raw = getattr(e, "err_code", None), api()
        if code == raw.FPDF_ERR_PASSWORD or "password" in str(e).lower():
            if password:
                with suppress(EncryptedDocument):
                    return _open(data, name, "")  # the password may be another file's
            raise EncryptedDocument(
                f"{name}: password-protected, not read"
                + (" (the password given does not open it)" if password else ""),
                hint="Give the password that opens it, or save it without one.",
            ) from e
        if code == raw.FPDF_ERR_SECURITY:
            raise EncryptedDocument(
                f"{name}: protected in a way that cannot be read here, not read",
                hint="Save it without protection and load it again.",
            ) from e
        raise CorruptDocument(
            f"{name}: this PDF is damaged and cannot be opened.",
            hint="Save or download it again.",
        ) from e


class TextPage:
    r"""One page with its text; a context manager to be used while `LOCK` is held.

    Positions are indexes into `text`, which is pdfium's own: lines end in ``\r\n``, a hyphen at
    the end of a line is U+FFFE and takes the line's end with it.
    """

    def __init__(self, document: PdfFile, index: int) -> None:
        self._raw = api()
        self._page = self._raw.FPDF_LoadPage(document.raw, index)
        if not self._page:
            raise LookupError(f"page {index + 1} cannot be loaded")
        self._handle = self._raw.FPDFText_LoadPage(self._page)
        if not self._handle:
            self._raw.FPDF_ClosePage(self._page)
            raise LookupError(f"the text of page {index + 1} cannot be loaded")
        self._address = address_of(self._handle)
        self.text, self._mapped = self._read()

    def __enter__(self) -> TextPage:
        return self

    def __exit__(self, *_: object) -> None:
        self._raw.FPDFText_ClosePage(self._handle)
        self._raw.FPDF_ClosePage(self._page)

    def _read(self) -> tuple[str, bool]:
        count = self._raw.FPDFText_CountChars(self._handle)
        if count <= 0:
            return "", False
        # Characters pdfium makes up or leaves out can change the length; twice is ample room.
        buffer = (ctypes.c_ushort * (2 * count + 32))()
        written = self._raw.FPDFText_GetText(self._handle, 0, count, buffer)
        units = memoryview(buffer)[: max(0, written - 1)]
        text = str(units.cast("B"), "utf-16-le", "replace")
        return text, len(text) != count

    def _char(self, position: int) -> int:
        """The number pdfium gives the character at a position of `text`."""
        if not self._mapped:
            return position
        return max(0, int(self._raw.FPDFText_GetCharIndexFromTextIndex(self._handle, position)))

    def on_picture(self, box: Box) -> Box:
        """A box as shares (0 to 1) of the page as shown: left, top, right, bottom from its top."""
        size = 1_000_000
        x, y = ctypes.c_int(), ctypes.c_int()
        across, down = [], []
        for corner in (box[:2], box[2:]):
            self._raw.FPDF_PageToDevice(self._page, 0, 0, size, size, 0, *corner, x, y)
            across.append(min(max(x.value / size, 0.0), 1.0))
            down.append(min(max(y.value / size, 0.0), 1.0))
        return min(across), min(down), max(across), max(down)

    @property
    def rotation(self) -> int:
        """Quarter turns, clockwise, that the page is shown with."""
        return int(self._raw.FPDFPage_GetRotation(self._page))

    def boxes(self, positions: Sequence[int]) -> list[Box]:
        """Boxes of characters, as high as their font."""
        found = (ctypes.c_float * (4 * len(positions)))()
        # FS_RECTF is left, top, right, bottom as four floats.
        address, box, page = ctypes.addressof(found), _fast["box"], self._address
        for position in positions if not self._mapped else map(self._char, positions):
            box(page, position, address)
            address += 16
        sides = list(found)
        return list(zip(sides[::4], sides[3::4], sides[2::4], sides[1::4], strict=True))

    def count_rects(self) -> int:
        """How many runs of text the page was drawn with; about one a line in most files."""
        return max(0, int(self._raw.FPDFText_CountRects(self._handle, 0, -1)))

    def rects(self) -> list[Box]:
        """The box of each run of text as it was drawn."""
        count = self.count_rects()
        found = (ctypes.c_double * (4 * count))()
        address, rect, page = ctypes.addressof(found), _fast["rect"], self._address
        for i in range(count):
            rect(page, i, address, address + 24, address + 16, address + 8)
            address += 32
        sides = list(found)
        return list(zip(sides[::4], sides[1::4], sides[2::4], sides[3::4], strict=True))

    def is_hyphen(self, position: int) -> bool:
        """Whether a U+FFFE of `text` stands for a hyphen (otherwise for an unknown character)."""
        return int(self._raw.FPDFText_IsHyphen(self._handle, self._char(position))) == 1

    def is_soft_hyphen(self, position: int) -> bool:
        """Whether the hyphen there is U+00AD in the file."""
        item = self._raw.FPDFText_GetTextObject(self._handle, self._char(position))
        if not item:
            return False
        buffer = ctypes.create_string_buffer(2048)
        target = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
        size = self._raw.FPDFTextObj_GetText(item, self._handle, target, 1024)
        text = buffer.raw[: max(0, min(size, 1024) - 1) * 2].decode("utf-16-le", "replace")
        return text.rstrip(" \0").endswith("\xad")

    def font_size(self, position: int) -> float:
        """Size of the type on the page in points: the font's size times its scale."""
        char = self._char(position)
        size = float(self._raw.FPDFText_GetFontSize(self._handle, char))
        matrix = self._raw.FS_MATRIX()
        if self._raw.FPDFText_GetMatrix(self._handle, char, matrix):
            size *= math.hypot(matrix.c, matrix.d)
        return size

    def font_name(self, position: int) -> str:
        """Name of the font, such as ``Helvetica-Bold``; "" when unknown."""
        _name[0] = b"\0"
        address = ctypes.addressof(_name)
        _fast["font"](self._address, self._char(position), address, len(_name), None)
        return _name.value.decode("utf-8", "replace")
