"""Where an answer stands: by a quote, a marked span, or a page or section."""

from __future__ import annotations

from ragdebug.errors import DocumentNotFound, QuoteNotFound, RagDebugError
from ragdebug.records import Place
from ragdebug.workbench import quotes, regions
from ragdebug.workbench.base import Base


class Places(Base):
    """Use cases on places in documents."""

    def find_quote(self, quote: str, source: str = "") -> tuple[Place, ...]:
        """Places where a quote stands: exact ones, else with blanks, case and typography folded.

        Raises:
            QuoteNotFound: when it is blank, stands nowhere, or in so many places that ranks would
                be those of some of them only.
        """
        if not quote.strip():
            raise QuoteNotFound("The quote is empty.", hint="Give the words that answer.")
        infos = [d for d in self._active() if not source or source in (d.source, d.id)]
        if source and not infos:
            raise DocumentNotFound(
                f"No document is called {source}.", hint="List them with: ragdebug documents list"
            )
        texts = ((d.id, d.version, d.source, self._text(d.id, d.version)) for d in infos)
        places = quotes.find(quote, texts, quotes.MOST + 1)
        if len(places) > quotes.MOST:
            raise QuoteNotFound(
                f"The quote stands in more than {quotes.MOST} places.",
                title="Quote too common",
                hint="Give more of the passage, or name its document.",
            )
        if not places:
            where = f"in {source}" if source else "in any document"
            raise QuoteNotFound(
                f"The quote stands nowhere {where}.",
                hint="Copy it from the document as the Corpus page shows it.",
            )
        return tuple(places)

    def place(self, document: str, start: int, end: int, version: str = "") -> Place:
        """A marked span as an expected place.

        Raises:
            RagDebugError: when the span is not inside the text.
        """
        found = self.document(document, version)
        if not 0 <= start < end <= len(found.text):
            raise RagDebugError(f"{found.source} has no characters {start} to {end}.")
        return Place(found.id, found.version, found.source, start, end, found.text[start:end])

    def region(self, document: str, page: int | None = None, section: str = "") -> Place:
        """A whole document, a page or a section as an expected place.

        Raises:
            RagDebugError: when there is no such page or section.
        """
        return regions.region(self.document(document), page, section)
