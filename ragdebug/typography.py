"""What people, editors and PDF readers write for one another: one table for all who fold it."""

from __future__ import annotations

# Plain character -> those that are written in its place.
VARIANTS = {
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    "'": "\u2018\u2019\u201a\u201b\u02bc`\u00b4",
    '"': "\u201c\u201d\u201e\u201f\u00ab\u00bb",
}
ELLIPSIS = "\u2026"
