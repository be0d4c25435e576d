import type { Translated } from '../messages.svelte';
import type en from './en';

export default {
  looking: 'Controllo delle chiavi…',
  back: 'Indietro',

  outdated: 'Questo browser è troppo vecchio',
  outdatedText:
    'Non conosce il tipo di chiavi con cui il documento è cifrato. Aggiornalo, o apri questa pagina in un altro browser. Voci e client funzionano qui.',

  setUp: 'Scegli una passphrase',
  setUpWhy:
    'Il documento di memoria, le note e le conversazioni vengono cifrati in questo browser prima di essere inviati. La passphrase apre le chiavi che servono.',
  setUpDiffers:
    'Non è la password con cui accedi: non lascia mai questo browser, e nessuno può reimpostarla per te.',
  passphrase: 'Passphrase',
  newPassphrase: 'Nuova passphrase',
  present: 'Passphrase attuale',
  presentHint: 'Oppure la chiave di recupero. Dimostra che sei tu.',
  wrongPresent: 'Non è né la tua passphrase né la tua chiave di recupero.',
  passphraseHint:
    'Almeno {n} caratteri. Qualche parola senza legame è facile da ricordare e difficile da indovinare.',
  again: 'Ancora una volta la stessa',
  tooShort: 'Servono almeno {n} caratteri.',
  notTheSame: 'Le due non coincidono.',
  likePassword: 'Scegli qualcosa di diverso dalla password, che il server vede a ogni accesso.',
  makeKeys: 'Crea le mie chiavi',
  deriving: 'Elaborazione… Dura un secondo, di proposito.',

  keep: 'Conserva la chiave di recupero',
  keepText:
    'Se un giorno dimentichi la passphrase, questa chiave apre le tue chiavi. Viene mostrata ora e mai più: stampala, scrivila o mettila in un gestore di password.',
  keepWarning:
    'Se perdi sia la passphrase sia questa chiave, crei nuove chiavi, e chi altro ha la chiave dello spazio di lavoro può passartela di nuovo. Se non l’ha nessun altro, il testo è perso: nemmeno chi gestisce il server può aiutare.',
  recoveryKey: 'Chiave di recupero',
  download: 'Scarica',
  downloadName: 'workspace-memory-chiave-di-recupero.txt',
  downloadText: 'Chiave di recupero di Workspace Memory per {email}, creata il {date} su {address}',
  kept: "L'ho conservata",

  unlock: 'Sblocca il documento di memoria',
  unlockText:
    'La passphrase apre le tue chiavi in questo browser. Se chiudi o ricarichi la pagina, tornano bloccate.',
  unlockAction: 'Sblocca',
  useRecovery: 'Usa invece la chiave di recupero',
  lostBoth: 'Ho perso entrambe',
  wrongPassphrase: 'Questa passphrase non apre le tue chiavi.',

  recover: 'Apri le chiavi con la chiave di recupero',
  recoverText: 'Dopo scegli una nuova passphrase. La chiave di recupero resta com’è.',
  recoverHint: '14 gruppi di 4 caratteri. Spazi, trattini e minuscole non contano.',
  recoverAction: 'Apri le mie chiavi',
  mistypedLength: 'Una chiave di recupero ha 56 caratteri. Qui ce ne sono di più o di meno.',
  mistypedCharacter: 'Il gruppo {n} ha un carattere che nessuna chiave di recupero contiene.',
  mistypedChecksum: 'Almeno un carattere è diverso. Confronta gruppo per gruppo.',
  wrongRecovery:
    'Questa chiave di recupero non apre le tue chiavi. Forse una più recente ha preso il suo posto.',
  chooseNew: 'Scegli una nuova passphrase',
  chooseNewText: 'Le chiavi sono aperte. Da ora le apre la nuova passphrase; quella vecchia non vale più.',
  choose: 'Usa questa passphrase',

  replace: 'Sostituisci le tue chiavi',
  replaceText:
    'Le vecchie chiavi sono perse per sempre, e ne ricevi di nuove. In ogni spazio di lavoro aspetti poi che un membro che ne ha la chiave te la passi di nuovo.',
  replaceHolders: 'In questo spazio di lavoro la chiave è in mano a {names}.',
  replaceNobody:
    'Nessun altro ha la chiave di questo spazio di lavoro. Documento, note e conversazioni non si potranno leggere mai più.',
  password: "Password dell'account",
  passwordHint: 'Dimostra che sei tu.',
  replaceAction: 'Sostituisci le mie chiavi',
  wrongPassword: 'Non è la password di questo account.',

  noKey: 'Questo spazio di lavoro non ha ancora una chiave',
  noKeyMay: 'Creala con un clic. Poi puoi passarla agli altri membri.',
  noKeyWho: 'La crea chi amministra o può modificare, aprendo questa pagina: {names}.',
  makeKey: 'Crea la chiave',
  looksByItself: 'Questa pagina ricontrolla da sola ogni pochi secondi.',

  waiting: 'In attesa della chiave di questo spazio di lavoro',
  waitingText: 'Le tue chiavi sono pronte. Chi ha la chiave te la passa con un clic in questa pagina.',
  whoCanHelp: 'Chi può aiutare',
  ownFingerprint: 'La tua impronta',
  ownFingerprintText:
    'Comunicala al telefono o di persona a chi ti passa la chiave, così sa che queste sono davvero le tue chiavi.',
  copyFingerprint: "Copia l'impronta",

  lost: 'Nessuno ha più la chiave di questo spazio di lavoro',
  lostText:
    "L'ultima persona che l'aveva se n'è andata, o ha sostituito le proprie chiavi. Ciò che era cifrato resta conservato, ma non si potrà leggere mai più.",
  lostAsk: 'Così dice il server. Chiedi agli altri membri se qualcuno riesce ancora ad aprire il documento.',
  lostWho: 'Può ricominciare chi amministra o può modificare: {names}.',
  beginAnew: 'Ricomincia',
  beginAnewMore: 'Ricomincia…',
  beginAnewAsk: "Ricominciare con un'altra chiave?",
  beginAnewText:
    "Il documento, le note e le conversazioni fino a oggi restano chiusi per tutti, per sempre. Ciò che si scrive da ora viene cifrato con un'altra chiave.",

  changed: 'La chiave di {name} non è quella che questo browser conosce',
  changedSomebody: 'La chiave di una persona che se ne è andata non è quella che questo browser conosce',
  changedText:
    'O {name} ha ora altre chiavi, o qualcuno vuole leggere di nascosto. Nulla è stato aperto né inviato. Chiedi a {name} al telefono o di persona, non tramite questo servizio.',
  changedGone:
    "Chi ti ha passato la chiave non è più membro, quindi non c'è nulla da confrontare. Chiedi a chi amministra di passarti di nuovo la chiave.",
  knownHere: 'Conosciuta qui finora',
  shownNow: 'Mostrata ora dal server',
  compared: "L'ho confrontata con {name}, ed è la stessa.",
  trust: 'Fidati della nuova chiave',
  rolledBack: 'Il server mostra meno di prima',
  rolledBackText:
    'Questo browser ha già visto il numero {seen}, e il server mostra il numero {presented}. O è stata ripristinata una copia più vecchia, o qualcuno nasconde le versioni più recenti. Nulla è stato aperto. Non scrivere niente prima che chi gestisce il server lo abbia spiegato.',
  distrusted: 'Ciò che il server ha inviato non è affidabile',
  distrustedText:
    'Nulla è stato aperto né inviato. Avvisa chi gestisce il server, e non proseguire finché non è chiarito.',
  reasonParameters: 'La passphrase dovrebbe essere elaborata con valori che nessun client accetta.',
  reasonSignature: 'Una chiave non porta la firma della persona da cui dovrebbe venire.',
  reasonSeal: 'Qualcosa di cifrato è stato modificato, spostato o tralasciato.',
  reasonCheckValue: 'La chiave che ti è stata passata non è quella di questo spazio di lavoro.',
  reasonChain: 'Si dicono perse chiavi più vecchie che questo browser ha già aperto.',
  reasonPublicKey: 'Ciò che dovrebbe essere una chiave pubblica non lo è.',
  reasonOtherKeys:
    'Le chiavi conservate non sono quelle aperte qui. Forse sono state sostituite in un altro browser.',
  forgetful: 'Questo browser non ricorda le chiavi',
  forgetfulText:
    'Deve ricordare le chiavi altrui, perché nessuno possa scambiarle di nascosto. Finestre private e impostazioni possono vietarlo. Se ciò che ricordava è danneggiato, elimina i dati di questo sito; le impronte si confrontano poi di nuovo.',
  lookAgain: 'Ricontrolla',
  lockAgain: 'Blocca e sblocca di nuovo',
  failed: 'Non è stato possibile controllare le chiavi',

  lock: 'Blocca il documento di memoria',
  lockShort: 'Blocca',
  lockEnded: 'Bloccato. Anche la sessione dell’assistente in questo browser è stata terminata.',
  stillOpen: 'Bloccato, ma la sessione dell’assistente in questo browser è ancora aperta, fino a {when}',
  stillOpenText:
    'Non è stato possibile terminarla: il servizio non l’ha fatto o non risponde. Fino ad allora chi è a questo browser può chiedere della memoria all’assistente. Si può terminare anche nelle impostazioni o uscendo.',
  perhapsOpen: 'Bloccato, ma in questo browser potrebbe essere ancora aperta una sessione dell’assistente',
  perhapsOpenText:
    'Non è stato possibile chiederlo al servizio. Se ce n’è una, chi è a questo browser può chiedere della memoria all’assistente finché non termina da sola. Si può terminare anche nelle impostazioni o uscendo.',
  stillOpenEnd: 'Termina ora',
  waits: {
    one: '{names} aspetta la chiave di questo spazio di lavoro',
    other: '{n} membri aspettano la chiave di questo spazio di lavoro: {names}',
  },
  waitsText: 'Senza, il documento di memoria non si può leggere. Tu hai la chiave e puoi passarla.',
  passOn: 'Passa la chiave',
  passOnTo: 'Passa la chiave a {name}',
  passOnAsk: 'Passare la chiave a {name}?',
  passOnText: '{name} potrà leggere il documento di memoria con tutta la sua storia, e le note.',
  compareText:
    "Confronta l'impronta con {name} al telefono o di persona, non tramite questo servizio. Il server potrebbe mostrarti la chiave di qualcun altro.",
  fingerprint: 'Impronta',
  fingerprintOf: 'Impronta di {name}',
  metBefore: 'Questo browser si è già fidato proprio di queste chiavi.',
  isSame: 'È la stessa: passa la chiave',
  isSameNext: 'È la stessa: continua',
  passedOn: '{name} ha ora la chiave.',
  notConfirmed: 'Le chiavi di {name} sono cambiate durante il confronto. Confrontale ancora una volta.',

  due: 'Qualcuno che aveva la chiave se n’è andato',
  dueText:
    'Crea una nuova chiave, così ciò che si scrive da ora resta chiuso a chi se n’è andato. Gli altri conservano quello che hanno. Le sessioni aperte dell’assistente terminano.',
  makeNew: 'Crea ora una nuova chiave',
  strangerAsk: 'È {name}?',
  strangerText:
    'A quanto risulta {name} ha la chiave, e riceve anche quella nuova. Questo browser non conosce ancora {name}.',
  strangerStep: '{at} di {of}',
  made: "Lo spazio di lavoro ha una nuova chiave. Le sessioni dell'assistente sono terminate; aprine un'altra quando serve.",
  othersFirst: 'Qualcuno ha fatto prima, o i membri sono cambiati. Guarda e riprova.',

  members: 'Chi ha la chiave',
  membersText:
    'I membri con la chiave possono leggere il documento di memoria. Se la passano tra loro; il server non può.',
  holds: 'Ha la chiave',
  waitsBadge: 'Aspetta la chiave',
  noKeys: 'Non ha ancora chiavi',
  otherKeys: 'Chiavi diverse da prima',
  compare: 'Confronta…',
  you: 'tu',
  makeNewMore: 'Crea una nuova chiave…',
  makeNewAsk: 'Creare una nuova chiave per questo spazio di lavoro?',
  makeNewText:
    'Tutte le sessioni aperte dell’assistente in questo spazio di lavoro terminano, anche quelle degli altri. Chi riceve la nuova chiave può ancora leggere ciò che è stato scritto.',
  makeNewHolders: 'La nuova chiave va a {names}.',
  unlockToPassOn: 'Per passare la chiave, sblocca le tue chiavi.',

  changedElsewhere: "Nel frattempo le chiavi sono state cambiate in un'altra finestra. Riprova.",
  noMemory: 'Il browser non ha potuto elaborare la passphrase: poca memoria, o è stato bloccato.',
  strangeCharacters: 'La passphrase contiene caratteri che non sono testo.',
  recoveryOwed: 'La chiave di recupero non risulta conservata',
  recoveryOwedText:
    'È stata creata in questo browser, e la pagina è scomparsa prima che si potesse conservarla. Senza, una passphrase dimenticata chiude le tue chiavi per sempre.',
  recoveryOwedAction: 'Crea una nuova chiave di recupero',
  recoveryOwedLocked:
    'Qui è stata creata una chiave di recupero che non risulta conservata. Sblocca le chiavi per crearne una nuova.',
} satisfies Translated<typeof en>;
