import type { Translated } from '../messages.svelte';
import type en from './en';

export default {
  title: 'Il mio account',
  signOut: 'Esci',

  display: 'Aspetto',
  singleKeysHint: 'Disattivalo se usi la voce, o se premi tasti per sbaglio.',

  keys: 'Chiavi del documento di memoria',
  keysText:
    'Aprono ciò che è cifrato. La passphrase è un segreto diverso dalla password e non lascia mai questo browser.',
  keysLooking: 'Controllo delle chiavi…',
  keysNone: 'Non hai ancora chiavi. Si creano quando apri per la prima volta la pagina Memoria.',
  toMemory: 'Apri Memoria',
  keysNowhere:
    'Le chiavi si creano quando apri per la prima volta la pagina Memoria di uno spazio di lavoro.',
  keysLocked:
    'Le chiavi sono bloccate in questo browser. Sbloccale per cambiare la passphrase o la chiave di recupero.',
  keysOpen: 'Le chiavi sono aperte in questo browser finché non le blocchi o chiudi la pagina.',
  keysFailed: 'Non è stato possibile controllare le chiavi.',
  changePassphrase: 'Cambia la passphrase…',
  changePassphraseAsk: 'Cambia la passphrase',
  changePassphraseText: 'Da ora la nuova apre le chiavi ovunque. La chiave di recupero resta com’è.',
  passphraseChanged: 'Ora è la nuova passphrase ad aprire le chiavi.',
  newRecovery: 'Nuova chiave di recupero…',
  newRecoveryAsk: 'Creare una nuova chiave di recupero?',
  newRecoveryText: 'Quella che hai ora smette di funzionare. La nuova viene mostrata una volta.',
  newRecoveryAction: 'Creane una nuova',

  password: 'Password',
  passwordText: "Per accedere. Una nuova termina tutte le altre sessioni, anche quelle dell'assistente.",
  present: 'Password attuale',
  next: 'Nuova password',
  nextHint: 'Almeno {n} caratteri.',
  tooShort: 'Servono almeno {n} caratteri.',
  changePassword: 'Cambia la password',
  passwordChanged: 'La password è cambiata. Tutte le altre sessioni sono terminate.',
  wrongPassword: 'Non è la password di questo account.',
  wait: 'Troppi tentativi. Il prossimo è possibile tra {seconds} s.',

  tokens: 'Chiavi dei client',
  tokensText: 'Ognuna è per un client. Se lo scolleghi, quel client è escluso subito.',
  noTokens: 'Non hai chiavi dei client.',
  lastUsed: 'Ultimo uso {when}',
  neverUsed: 'Mai usato',
  expires: 'fino al {when}',
  disconnect: 'Scollega',
  disconnectOf: 'Scollega {name}',
  disconnectAsk: 'Scollegare {name}?',
  disconnectText: 'La chiave smette subito e per sempre di funzionare. Ciò che il client ha salvato resta.',
  disconnected: '{name} è scollegato.',
  levelNone: 'Nessun accesso',
  levelRead: 'Legge',
  levelPersonal: 'Legge, salva memoria personale',
  levelContribute: 'Legge, salva, contribuisce',

  sessions: 'Dove sei collegato',
  sessionsText: 'Una sessione termina da sola dopo 8 ore senza uso, e comunque dopo 7 giorni.',
  session: 'Sessione iniziata {when}',
  thisOne: 'Questa',
  seen: 'Ultimo uso {when}',
  end: 'Termina',
  endOf: 'Termina la sessione iniziata {when}',
  sessionEnded: "La sessione è terminata, e con lei le sessioni dell'assistente aperte nei browser.",

  remove: "Elimina l'account",
  removeText:
    'Se ne vanno anche la memoria personale in ogni spazio di lavoro, le chiavi dei client e le sessioni.',
  removeMore: 'Elimina il mio account…',
  removeAsk: "Eliminare l'account per sempre?",
  removeGone:
    "Spariscono subito: l'account, le voci personali in ogni spazio di lavoro, le chiavi, le chiavi dei client e le conversazioni.",
  removeStays: 'Restano: la memoria aziendale e i documenti che hai scritto, senza il tuo nome.',
  removeKey:
    'Dove solo tu hai la chiave di uno spazio di lavoro, i suoi testi cifrati non si potranno leggere mai più. Passala prima a qualcuno.',
  removeAction: 'Elimina il mio account',
  lastAdmin:
    'Uno spazio di lavoro resterebbe senza chi lo amministra. Dai prima il ruolo a qualcun altro, o elimina lo spazio di lavoro.',
  removed: "L'account è eliminato.",
  failed: 'Non è stato possibile caricare questa parte.',
} satisfies Translated<typeof en>;
