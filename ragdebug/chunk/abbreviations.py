"""Short forms whose full stop does not end a sentence, for the languages that are met most.

One set for all languages: a document may mix them, its language may be guessed wrongly, and few of
these are words of another language that could end a sentence.
"""

from __future__ import annotations

# Never the last word of a sentence: a name, number or noun follows.
LEADING = frozenset(
    # English
    "mr mrs ms mx dr prof rev hon gen col capt lt sgt maj cmdr st messrs gov pres sen rep supt "
    "vs viz cf eg ie approx figs eqs al "
    # German
    "hr fr frl dipl ing bzw bspw evtl ggf vgl inkl exkl zzgl abzgl sog bes insb insbes allg ca chr "
    "geb gest lfd höchst nr abs ziff tel str tsd verf hrsg zit "
    # French
    "mm mme mmes mlle mlles env éd "
    # Spanish, Portuguese
    "sr sra sres srta dra ud uds núm pág págs aprox admón excmo exmo av "
    # Italian
    "sig sigg dott ing avv arch egr gent spett "
    # Dutch
    "dhr mevr mw bijv blz nl resp jl "
    # months and days that are shortened before a number or a year
    "jan feb febr mär apr jun jul aug sep sept okt oct nov dez dec mon tue wed thu fri".split()
)
# Stand before a number; elsewhere they are ordinary words ("No.", "art.", "vol.", "p.").
BEFORE_NUMBER = frozenset(
    "no nos art arts sec secs ch chap vol vols p pp s ss para paras pos cap abb anm aufl bd kap n "
    "num núm pag pág rd ver v rev ed ex fig eq ref gem lit pt nº bl hfst".split()
)
# May end a sentence: they do when a capital letter follows.
TRAILING = frozenset(
    "etc inc ltd co corp llc bros jr sr esq usw uvm uä gmbh ag kg ecc dept est max min".split()
)
# Words joined by full stops (e.g., z.B., U.S.); these may end a sentence, the others do not.
DOTTED_TRAILING = frozenset(("a.m", "p.m", "u.a", "u.ä", "o.ä", "e.v"))
# Languages that write an ordinal as a number with a full stop ("am 3. Mai").
ORDINAL_LANGUAGES = frozenset("de da no nb nn fi is et lv cs sk sl hr bs sr hu pl tr".split())
