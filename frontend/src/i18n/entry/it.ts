import type { Translated } from '../messages.svelte';
import type en from './en';

export default {
  product: 'Workspace Memory',
  signIn: 'Accedi',
  email: 'Indirizzo e-mail',
  password: 'Password',
  refused: 'Indirizzo e-mail o password non corretti.',
  wait: 'Troppi tentativi. Il prossimo è possibile tra {seconds} s.',
  insecure: 'Per accedere serve https',
  insecureText:
    "Con http semplice da un'altra macchina le password viaggerebbero leggibili. Apri l'indirizzo con https://, o chiedi a chi gestisce il server.",
  unreachable: 'Il servizio non risponde. Controlla la connessione e riprova.',
  forgotten: 'Password dimenticata?',
  forgottenText:
    'Chi amministra lo spazio di lavoro crea un link per una nuova nella pagina Utenti. Sul server stesso: workspace-memory user reset-password EMAIL.',
  noAccount: 'Non hai ancora un account?',
  noAccountText: 'Apri il link che hai ricevuto. Il primissimo lo stampa il server quando parte.',

  looking: 'Controllo del link…',
  setup: 'Benvenuto in Workspace Memory',
  setupText: 'Qui nascono il tuo account e il primo spazio di lavoro. Poi si possono invitare altre persone.',
  join: 'Entra in {workspace}',
  joinText: "L'invito è per {email}.",
  joinNew: 'Scegli un nome e una password per il nuovo account.',
  joinKnown: 'Hai già un account. La sua password dimostra che sei tu.',
  reset: 'Una nuova password',
  resetText: "Per {email}. Terminano tutte le sessioni dell'account, anche quelle dell'assistente.",
  name: 'Il tuo nome',
  nameHint:
    'Facoltativo. Gli altri lo vedono accanto a ciò che scrivi; altrimenti è l’inizio del tuo indirizzo.',
  workspaceName: 'Nome dello spazio di lavoro',
  workspaceNameHint: 'Facoltativo. Per esempio l’azienda o il gruppo; si può cambiare in seguito.',
  newPassword: 'Nuova password',
  passwordHint: "Almeno {n} caratteri. La passphrase per il documento di memoria viene dopo ed è un'altra.",
  tooShort: 'Servono almeno {n} caratteri.',
  begin: 'Comincia',
  joinAction: 'Entra',
  useIt: 'Usa questa password',
  wrongPassword: 'Non è la password di {email}.',
  otherAccount: 'Sei collegato come {email}',
  otherAccountText: 'Quella sessione termina, e prosegui come {other}.',
  invalid: 'Questo link non funziona',
  invalidText:
    "È già stato usato, è troppo vecchio, è stato sostituito da uno più recente o non è completo. Chiedine uno nuovo a chi te l'ha dato. Se l'hai già usato, accedi.",
  missing: 'Apri il link ancora una volta',
  missingText:
    'Il segreto alla fine viene tolto subito dalla barra degli indirizzi, così non resta in nessuna cronologia. Dopo un ricaricamento il link va riaperto.',
  alreadySetUp: 'Il primo account esiste già. Accedi con quello.',
  alreadyMember: 'Questo account è già nello spazio di lavoro. Accedi.',
  toSignIn: "Vai all'accesso",
  done: 'Fatto',
  doneText: "Il link è stato usato. L'accesso da qui non è riuscito; prova dalla pagina di accesso.",
} satisfies Translated<typeof en>;
