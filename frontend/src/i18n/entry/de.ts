import type { Translated } from '../messages.svelte';
import type en from './en';

export default {
  product: 'Workspace Memory',
  signIn: 'Anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  refused: 'E-Mail-Adresse oder Passwort stimmt nicht.',
  wait: 'Zu viele Versuche. Der nächste ist in {seconds} s möglich.',
  insecure: 'Anmelden geht nur über https',
  insecureText:
    'Über einfaches http von einem anderen Rechner wären Passwörter unterwegs lesbar. Bitte die Adresse mit https:// öffnen oder den Betreiber des Servers fragen.',
  unreachable: 'Der Dienst antwortet nicht. Bitte die Verbindung prüfen und es noch einmal versuchen.',
  forgotten: 'Passwort vergessen?',
  forgottenText:
    'Wer den Arbeitsbereich verwaltet, erstellt auf der Seite Mitglieder einen Link für ein neues. Auf dem Server selbst: workspace-memory user reset-password E-MAIL.',
  noAccount: 'Noch kein Konto?',
  noAccountText: 'Bitte den erhaltenen Link öffnen. Den allerersten gibt der Server beim Start aus.',

  looking: 'Der Link wird geprüft …',
  setup: 'Willkommen bei Workspace Memory',
  setupText:
    'Hier entstehen das eigene Konto und der erste Arbeitsbereich. Andere können danach eingeladen werden.',
  join: '{workspace} beitreten',
  joinText: 'Die Einladung gilt für {email}.',
  joinNew: 'Bitte einen Namen und ein Passwort für das neue Konto wählen.',
  joinKnown: 'Das Konto gibt es schon. Sein Passwort belegt, dass Sie es sind.',
  reset: 'Ein neues Passwort',
  resetText: 'Für {email}. Alle Anmeldungen des Kontos enden, ebenso alle Sitzungen des Assistenten.',
  name: 'Name',
  nameHint:
    'Freiwillig. Andere sehen ihn bei dem, was Sie schreiben; ohne Angabe ist es der Anfang Ihrer Adresse.',
  workspaceName: 'Name des Arbeitsbereichs',
  workspaceNameHint: 'Freiwillig. Zum Beispiel die Firma oder das Team; er lässt sich später ändern.',
  newPassword: 'Neues Passwort',
  passwordHint:
    'Mindestens {n} Zeichen. Die Passphrase für das Gedächtnis-Dokument kommt später und ist eine andere.',
  tooShort: 'Bitte mindestens {n} Zeichen.',
  begin: 'Loslegen',
  joinAction: 'Beitreten',
  useIt: 'Dieses Passwort verwenden',
  wrongPassword: 'Das ist nicht das Passwort von {email}.',
  otherAccount: 'Angemeldet als {email}',
  otherAccountText: 'Diese Anmeldung endet, und es geht weiter als {other}.',
  invalid: 'Dieser Link funktioniert nicht',
  invalidText:
    'Er wurde schon verwendet, ist zu alt, durch einen neueren ersetzt oder nicht vollständig. Bitte dort, wo er herkommt, nach einem neuen fragen. Wer ihn schon verwendet hat, kann sich anmelden.',
  missing: 'Bitte den Link noch einmal öffnen',
  missingText:
    'Das Geheimnis am Ende wird sofort aus der Adresszeile genommen, damit es in keinem Verlauf bleibt. Nach dem Neuladen muss der Link noch einmal geöffnet werden.',
  alreadySetUp: 'Das erste Konto gibt es schon. Bitte damit anmelden.',
  alreadyMember: 'Dieses Konto ist schon in dem Arbeitsbereich. Bitte anmelden.',
  toSignIn: 'Zur Anmeldung',
  done: 'Erledigt',
  doneText:
    'Der Link wurde verwendet. Das Anmelden hat von hier aus nicht geklappt; bitte auf der Anmeldeseite versuchen.',
} satisfies Translated<typeof en>;
