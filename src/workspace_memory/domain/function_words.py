"""Words that hold sentences together and say little about what a sentence is about, of several languages at once.

One list for all, since nobody says which language a text is in. Only words of four letters and more: what is
shorter counts less by its length alone. Left out is what names a thing in another of these languages (English
"come", "sure", "pour"). They are compared without diacritics; `ranking.py` says how much they count.
"""

from workspace_memory.domain.terms import bare

_ENGLISH = """
    about above after again against also although among another anything around because been before being
    below between both cannot could does doing done down during each either else even ever every everything
    from further have having here hers herself himself into itself just like many might more most much must
    myself neither never often only onto other others ours over quite rather same several shall should since
    some somebody someone something such than that their theirs them themselves then there these they this
    those though through thus toward towards under until upon very well were what whatever when whenever where
    whether which while whom whose will with within without would your yours yourself
"""
_GERMAN = """
    aber alle allem allen aller alles andere anderen anderer anderes auch beide beim bereits bevor bist dabei
    dafur damit danach dann darauf daraus darf darin daruber darum dass davon davor dazu deine deinem deinen
    deiner denn deren desen deshalb dessen dich diese diesem diesen dieser dieses doch dort durch durfen
    eigentlich eine einem einen einer eines einige einigen etwa etwas euch euer eure ganz gegen gibt habe
    haben hatte hatten hier hinter ihnen ihre ihrem ihren ihrer immer irgendwie jede jedem jeden jeder jedes
    jedoch jemand jene jetzt kann kein keine keinem keinen keiner konnen konnte manche mehr meine meinem
    meinen meiner meist mich muss mussen musste nach nachdem nicht nichts niemand noch obwohl oder ohne schon
    sehr sein seine seinem seinen seiner seit sich sicher sind sogar solche soll sollen sollte sondern sonst
    sowie trotz uber unser unsere unserem unseren unserer unter viel viele vielen vielleicht wahrend wann
    waren warum weil welche welchem welchen welcher welches wenn werden wieder wieso wieviel wird wofur woher
    wohin womit woran worauf worum wovon wurde wurden zwar zwischen
"""
_ITALIAN = """
    abbiamo alcune alcuni alla alle allo anche ancora avere aveva cioe cosa cose cosi dagli dalla dalle dallo
    degli della delle dello dentro deve devono dopo dove dovrebbe durante ecco erano essere fanno fino fosse
    gran hanno invece loro mentre molta molte molti molto negli nella nelle nello nessun nessuna niente nostra
    nostre nostri nostro ogni oltre ossia perche percio pero poiche possiamo possono presso proprio puoi qual
    qualche qualcosa qualcuno quale quali quando quanta quante quanti quanto quella quelle quelli quello
    questa queste questi questo quindi sempre senza siamo sono sopra sotto stata state stati stato sugli sulla
    sulle sullo tanto tutta tutte tutti tutto vengono verso viene vostra vostro
"""
_FRENCH = """
    afin ainsi alors apres assez aucun aucune aussi autre autres avant avec avez avoir avons beaucoup bien
    cela celle celles celui cependant certains cette ceux chaque chez combien comme comment dans depuis
    derriere donc dont elle elles encore entre etaient etait etes etre faire fait faut font jamais jusque leur
    leurs lorsque mais meme memes moins notre nous parce parmi pendant peut peuvent plus plusieurs pourquoi
    quand quel quelle quelles quelque quelques quels quoi sans selon sera serait seront sinon sommes sont sous
    souvent tous tout toute toutes tres trop vers voici voila votre vous
"""
_SPANISH = """
    algo alguien alguna algunas algunos antes aquel aquella aqui aunque cada como contra cual cuales cuando
    cuanta cuantas cuanto cuantos desde donde durante ella ellas ellos entonces entre eran eres esas esos esta
    estaba estamos estan estas este esto estos estoy fueron habia hace hacen hacer hacia hasta hemos luego
    menos mientras misma mismo mucha muchas mucho muchos nada nadie nosotros nuestra nuestro nunca otra otras
    otro otros para pero poco podemos porque puede pueden pues quien quienes segun sido siempre siendo sino
    sobre solo somos tambien tampoco tanta tanto tiene tienen toda todas todavia todo todos unas unos usted
    ustedes
"""
_PORTUGUESE = """
    agora ainda algum alguma alguns aquela aquele aquilo assim atraves cada conosco dela dele deles depois
    desde dessa desse desta deste devem disso disto elas eles entao essa esse esses estao estava estavam estou
    fazer foram havia isso isto lhes mais mesma mesmo minha muita muitas muito muitos naquele nenhum nessa
    nesse nesta neste nossa nosso numa onde pela pelas pelo pelos pode podem porem porque quais qualquer quem
    sempre seus sido suas tambem temos tinha toda todos voce voces
"""
_DUTCH = """
    alle alles ander andere daar daarom deze door echter eens eerst geen geweest haar hebben hebt heeft hier
    hoeveel iedereen iemand iets jouw jullie kunnen kunt maar meer mijn moet moeten naar niemand niet niets
    omdat onder onze over reeds sinds slechts steeds tegen terwijl toch toen tussen vaak vanaf veel voor waar
    waarom wanneer want waren welk welke worden wordt zeer zich zijn zonder zouden zulke
"""
_NORTHERN = """
    aldrig alltid anden andet andra blev blevet blir bliva bliver denna deras deres dessa dette disse efter
    eller endast etter finns fler flere fran gennem genom hadde hade havde have hennes hvad hvem hver hvilke
    hvilken hvis hvor hvordan hvorfor hvornar igen ikke inga ingen inget inte kunde kunne litt manga mange
    medan mellan mellem mellom mindre mycket naar nagon nagot nagra noen nogen noget nogle ocksa ogsa sedan
    siden sina skal skall skulde skulle utan uten varav varfor varit varje vart vilka vilken vilket vore
"""
_POLISH = """
    albo bardzo beda bedzie byla bylo byly czego czemu czyli dlaczego dlatego gdzie jaka jaki jakie jako jego
    jesli jest jestem jeszcze kazdy kiedy kogo ktora ktore ktorego ktory ktorych ktorzy lecz maja moze mozna
    nawet nich niech niego nigdy oraz poniewaz przed przez przy rowniez sobie swoje taki takie takze tego tych
    tylko wiecej wiele wszystko zawsze zeby
"""
_RUSSIAN = """
    будет были было быть ведь весь возле всегда всех даже если есть затем зачем здесь какая какие какой когда
    которая которое которые который кроме куда между меня могут можно надо него ничего нужно один однако около
    опять откуда очень перед после потом потому почему почти свои свой себе себя сейчас сколько такая также
    такие такой тебя теперь того тоже только хотя чего через чтобы этих этого этой этом этот
"""

FUNCTION_WORDS = frozenset(
    bare(word)
    for words in (
        _ENGLISH,
        _GERMAN,
        _ITALIAN,
        _FRENCH,
        _SPANISH,
        _PORTUGUESE,
        _DUTCH,
        _NORTHERN,
        _POLISH,
        _RUSSIAN,
    )
    for word in words.split()
)
