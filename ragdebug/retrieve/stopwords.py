"""Function words by language: the words that stand in nearly every passage and tell none apart.

Articles, pronouns, prepositions, conjunctions, auxiliaries and question words, case-folded as the
analyzer folds them (so German "daß" is "dass"). Plain negations (not, nicht, pas) are left out of
every list on purpose: "not refundable" and "refundable" are different answers; English auxiliaries
with n't count as auxiliaries. No list holds a number.
"""

from __future__ import annotations

from functools import cache

_WORDS = {
    "en": """
        a about above after again against all also am an and any are aren't as at be because been
        before being below between both but by can could couldn't did didn't do does doesn't doing
        don't down during each eg few for from further had hadn't has hasn't have haven't having he
        he'd he'll he's her here hers herself him himself his how however i i'd i'll i'm i've ie if
        in into is isn't it its itself just me more most my myself of off on once only or
        other ought our ours ourselves out over own same shall she she'd she'll should shouldn't so
        some such than that the their theirs them themselves then there these they they'd they'll
        they're they've this those through to too under until up upon very was wasn't we we'd
        we'll we're we've were weren't what when where which while who whom whose why will with
        would wouldn't you you'd you'll you're you've your yours yourself yourselves
    """,
    "de": """
        aber alle allem allen aller alles als also am an ander andere anderem anderen anderer
        anderes anderm andern anders auch auf aus bei beim bin bis bist da damit dann das dass
        dasselbe dazu dein deine deinem deinen deiner deines dem demselben den denn denselben der
        deren derer derselbe derselben des desselben dessen dich die dies diese dieselbe dieselben
        diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines einig
        einige einigem einigen einiger einiges einmal er es etwas euch euer eure eurem euren eurer
        eures für gegen gewesen hab habe haben hat hatte hatten hattest hattet hier hin hinter ich
        ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in indem ins ist ja jede jedem jeden jeder
        jedes jene jenem jenen jener jenes jetzt kann kannst können könnte machen man manche manchem
        manchen mancher manches mein meine meinem meinen meiner meines mich mir mit muss musste nach
        noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seines selbst sich sie sind
        so solche solchem solchen solcher solches soll sollte sondern sonst über um und uns unser
        unsere unserem unseren unserer unseres unter viel vom von vor während war waren warst was
        weg weil weiter welche welchem welchen welcher welches wenn wer werde werden wessen wie
        wieder will wir wird wirst wo wollen wollte worden wurde wurden würde würden zb zu zum zur
        zwar zwischen
    """,
    "fr": """
        à afin ai aie aient aies ainsi ait alors as au aucun aura aurai auraient aurait auront aussi
        autre autres aux avaient avais avait avant avec avez aviez avions avoir avons ayant ayez
        ayons c ça car ce ceci cela celle celles celui cependant ces cet cette ceux chaque chez ci
        comme comment d dans de depuis des dès donc dont du elle elles en encore entre es est et
        étaient étais était étant été êtes être étions eu eue eues eurent eus eut eux fait font
        furent fus fut hors ici il ils j je jusque l la laquelle le lequel les lesquelles lesquels
        leur leurs lors lorsque lui m ma mais me même mêmes mes moi moins mon n notre nos nôtre
        nous on ont or ou où par parce pendant peu peut peuvent plus pour pourquoi puis puisque qu
        quand que quel quelle quelles quels qui quoi s sa sans se selon sera serai seraient serait
        seront ses si sien soi soient sois soit sommes son sont sous suis sur t ta tandis te tel
        telle telles tels tes toi ton tous tout toute toutes très tu un une vers voici voilà vos
        votre vous vôtre y
    """,
    "es": """
        a al algo algún alguna algunas alguno algunos ante antes aquel aquella aquellas aquello
        aquellos aquí así aún aunque bajo bien cada casi como cómo con contra cual cuál cuales
        cuáles cuando cuándo cuanto cuánto de del desde donde dónde dos durante e el él ella ellas
        ello ellos en entonces entre era erais éramos eran eras eres es esa esas ese eso esos esta
        está estaba estaban estado están estar estas este esto estos estoy fue fueron fui ha había
        habían han has hasta hay he hemos hace hacia la las le les lo los luego mas más me mi mí
        mientras mis mucho muchos muy nos nosotras nosotros nuestra nuestras nuestro nuestros o os
        otra otras otro otros para pero poco por porque pues que qué quien quién quienes quiénes se
        sea sean según ser será serán si sí sido siendo sin sobre sois solo sólo somos son soy su
        sus suya suyas suyo suyos tal también tan tanto te tenía tiene tienen todo toda todas todos
        tu tú tus un una unas uno unos usted ustedes vosotras vosotros vuestra vuestro y ya yo
    """,
    "it": """
        a abbia abbiamo ad agli ai al alla alle allo all altre altri altro anche ancora avere aveva
        avevano avuto c che chi ci ciò coi col come con contro cosa cui d da dagli dai dal dall
        dalla dalle dallo degli dei del dell della delle dello dentro di dopo dove dunque durante e
        è ed era erano essere fa fino fra fu furono già gli ha hai hanno ho i il in io l la le lei
        li lo loro lui ma me meno mentre mi mia mie miei mio molto ne negli nei nel nell nella nelle
        nello noi nostra nostre nostri nostro o od ogni per perché però più poco poi prima può
        qual quale quali quando quanta quante quanti quanto quella quelle quelli quello questa
        queste questi questo qui quindi s sarà saranno se sei sempre senza si sia siamo siano siete
        sono sopra sotto sta stata state stati stato stessa stesso su sua sue sugli sui sul sull
        sulla sulle sullo suo suoi t ti tra tu tua tue tuo tuoi tutta tutte tutti tutto un una uno v
        vi voi vostra vostre vostri vostro
    """,
    "nl": """
        aan aangezien achter al alle alles als altijd andere anders ben bent bij bijna binnen
        boven buiten daar daarom dan dat de deze die dit doch doen door dus dit echter een eens en
        er erg ge had hadden haar hare heb hebben hebt heeft hem hen het hier hij hoe hoewel hun
        iemand iets ik in is je jij jou jouw jullie kan kon konden kunnen laat maar mag me meer men
        met mij mijn moet moeten mogen na naar nadat nog nu of om omdat omtrent onder ons onze ook
        op over reeds sinds te tegen ten ter terwijl tijdens toch toen tot tussen u uit uw van veel
        via voor voordat waar waarom wanneer want waren was wat we wel welk welke werd werden wie
        wij wil worden wordt zal ze zelf zich zij zijn zo zoals zonder zou zouden zulke
    """,
    "pt": """
        a à ao aos aquela aquelas aquele aqueles aquilo as às até cada com como contra da das de
        dela delas dele deles depois desde dessa desse desta deste do dos durante e é ela elas ele
        eles em então entre era eram essa essas esse esses esta está estão estas estava estavam este
        estes estou eu foi foram há isso isto já la lhe lhes lo mais mas me mesmo meu meus minha
        minhas muito muitos na nas nessa nesse nesta neste no nos nós nossa nossas nosso nossos num
        numa o onde os ou outra outras outro outros para pela pelas pelo pelos per perante pode
        podem pois por porque porquê pouco qual quais quando quanto que quê quem se seja sejam sem
        sendo ser será serão seu seus sido só sob sobre somos sou sua suas tal também tão te tem têm
        tenho ter teu teus tinha tinham toda todas todo todos tu tua tuas um uma umas uns vos você
        vocês
    """,
    "sv": """
        alla allt alltså andra att av bara blev bli blir blivit både då där därför de dem den denna
        deras dess dessa det detta dig din dina dit ditt du där efter ej eller en er era ert ett
        eftersom fast fram från för före ha hade han hans har hela henne hennes här hon honom hur i
        in inom innan jag kan kunde man med medan mellan men mer mig min mina mitt mot mycket när
        nu någon något några och också om oss på samma sedan sig sin sina själv sitt ska skall
        skulle som så sådan sådana sådant till under upp ut utan vad var vara varför varit varje
        vars vart vem vems vi vid vidare vilka vilkas vilken vilket vår våra vårt än är åt över
    """,
    "da": """
        af alle alt anden andet andre at bare begge blev blive bliver da de dem den denne der deres
        derfor det dette dig din dine disse dit dog du efter eller en end er et for fordi fra få før
        gennem ham han hans har have havde hele hende hendes her hos hun hvad hvem hver hvilken
        hvilke hvilket hvis hvor hvordan hvorfor hvornår i ind jeg jer jeres jo kan kunne lige man
        mange med meget mellem men mens mere mig min mine mit mod må ned noget nogle nogen nu når og
        også om op os over på samme selv sig sin sine sit skal skulle som sådan så thi til ud under
        var ved vi vil ville vor vore vores være været
    """,
    "no": """
        alle alt andre at av bare begge ble blei bli blir både da de deg dem den denne der dere
        deres derfor det dette di din dine disse ditt du eller en enn er et ett etter for fordi fra
        før gjennom ha hadde han hans har hele henne hennes her hos hun hva hvem hver hvilke hvilken
        hvis hvor hvordan hvorfor i inn ja jeg kan kunne man mange med meg meget mellom men mens mer
        min mine mitt mot må mye ned noe noen nå når og også om opp oss over på samme seg selv si
        sin sine sitt skal skulle som slik så til ut under var ved vi vil ville vår våre vårt være
        vært
    """,
    "fi": """
        että eli hän hänen hänet heidän heidät heille heitä he ja jo johon joiden joka joita jonka
        jos josta jota jotka jossa koska kuin kuka kun kuten me meidän meille meitä mikä millä minkä
        minun minut minua minulle minä mitkä mitä mukaan mutta myös ne niiden niille niin niissä
        niistä niitä noin nuo nyt näiden näissä näitä nämä ole olemme olen olet olette oli olivat
        olla olleet ollut on ovat se sekä sen siihen siinä siitä sillä sinun sinä sitten sitä tai te
        teidän teille tuo tämä tämän tähän tällä tässä tästä tätä vai vaan vaikka voi voivat
    """,
    "ru": """
        а без более больше будет будто бы был была были было быть в вам вас ведь весь во вот все
        всё всего всех вы где да даже для до его ее её если есть еще ещё же за здесь и из или им их
        к как какая какой какие когда который которая которые кто куда ли лишь между меня мне мой
        моя мы на над надо нам нас наш него нее неё них но о об он она они оно от по под после при
        про с сам свой своя себе себя со так также такой там те тем то тогда того тоже только том
        тот ты у уже хотя чего чей чем через что чтобы эта эти это этого этой этом этот я
    """,
    "pl": """
        a aby albo ale aż bardzo bez bo być była było były był będzie będą ci co coś czy czyli dla
        dlaczego do gdy gdzie go i ich ile im inne iż ja jak jaka jakie jaki jako je jednak jego jej
        jest jeszcze jeśli jeżeli już ją kiedy kto która które którego której który których którym
        którzy lub ma mają mi mnie mu my na nad nam nas nasz nawet o od on ona one oni oraz po pod
        ponieważ poza przed przez przy raz się są sobie swoje ta tak taka taki także tam te tego tej
        ten to tu tych tylko tym u w we wszystko więc wy z za zaś ze że
    """,
}

LANGUAGES = frozenset(_WORDS)
"""ISO 639-1 codes that have a list."""


@cache
def stop_words(language: str) -> frozenset[str]:
    """The function words of a language, case-folded; empty when there is no list for it."""
    return frozenset(_WORDS.get(language, "").split())
