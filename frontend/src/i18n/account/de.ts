import type { Translated } from '../messages.svelte';
import type en from './en';

export default {
  title: 'Mein Konto',
  signOut: 'Abmelden',

  display: 'Anzeige',
  singleKeysHint: 'Ausschalten hilft, wenn mit der Stimme gesteuert wird oder Tasten versehentlich auslösen.',

  keys: 'Schlüssel des Gedächtnis-Dokuments',
  keysText:
    'Sie öffnen, was verschlüsselt ist. Die Passphrase ist ein anderes Geheimnis als das Passwort und verlässt diesen Browser nie.',
  keysLooking: 'Die Schlüssel werden geprüft …',
  keysNone: 'Es gibt noch keine Schlüssel. Sie entstehen beim ersten Öffnen der Gedächtnis-Seite.',
  toMemory: 'Gedächtnis öffnen',
  keysNowhere: 'Schlüssel entstehen beim ersten Öffnen der Gedächtnis-Seite eines Arbeitsbereichs.',
  keysLocked:
    'Die Schlüssel sind in diesem Browser gesperrt. Entsperrt lassen sich Passphrase und Wiederherstellungsschlüssel ändern.',
  keysOpen:
    'Die Schlüssel sind in diesem Browser offen, bis sie gesperrt werden oder die Seite geschlossen wird.',
  keysFailed: 'Die Schlüssel konnten nicht geprüft werden.',
  changePassphrase: 'Passphrase ändern …',
  changePassphraseAsk: 'Passphrase ändern',
  changePassphraseText:
    'Die neue öffnet die Schlüssel von jetzt an überall. Der Wiederherstellungsschlüssel bleibt, wie er ist.',
  passphraseChanged: 'Die neue Passphrase öffnet jetzt die Schlüssel.',
  newRecovery: 'Neuer Wiederherstellungsschlüssel …',
  newRecoveryAsk: 'Einen neuen Wiederherstellungsschlüssel erstellen?',
  newRecoveryText: 'Der bisherige gilt dann nicht mehr. Der neue wird einmal gezeigt.',
  newRecoveryAction: 'Neuen erstellen',

  password: 'Passwort',
  passwordText:
    'Für die Anmeldung. Ein neues beendet alle anderen Anmeldungen und alle Sitzungen des Assistenten.',
  present: 'Bisheriges Passwort',
  next: 'Neues Passwort',
  nextHint: 'Mindestens {n} Zeichen.',
  tooShort: 'Bitte mindestens {n} Zeichen.',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Das Passwort ist geändert. Alle anderen Anmeldungen sind beendet.',
  wrongPassword: 'Das ist nicht das Passwort dieses Kontos.',
  wait: 'Zu viele Versuche. Der nächste ist in {seconds} s möglich.',

  tokens: 'Client-Schlüssel',
  tokensText: 'Jeder gehört zu einem Client. Wird er getrennt, ist dieser Client sofort abgeschnitten.',
  noTokens: 'Es gibt keine Client-Schlüssel.',
  lastUsed: 'Zuletzt benutzt {when}',
  neverUsed: 'Nie benutzt',
  expires: 'bis {when}',
  disconnect: 'Trennen',
  disconnectOf: '{name} trennen',
  disconnectAsk: '{name} trennen?',
  disconnectText:
    'Der Schlüssel gilt sofort und endgültig nicht mehr. Was der Client gespeichert hat, bleibt.',
  disconnected: '{name} ist getrennt.',
  levelNone: 'Kein Zugriff',
  levelRead: 'Liest',
  levelPersonal: 'Liest, speichert Persönliches',
  levelContribute: 'Liest, speichert, trägt bei',

  sessions: 'Wo Sie angemeldet sind',
  sessionsText:
    'Eine Anmeldung endet von selbst nach 8 Stunden ohne Benutzung und in jedem Fall nach 7 Tagen.',
  session: 'Angemeldet seit {when}',
  thisOne: 'Diese hier',
  seen: 'Zuletzt gesehen {when}',
  end: 'Beenden',
  endOf: 'Anmeldung seit {when} beenden',
  sessionEnded: 'Die Anmeldung ist beendet, ebenso die in Browsern geöffneten Sitzungen des Assistenten.',

  remove: 'Konto löschen',
  removeText:
    'Persönliche Einträge in allen Arbeitsbereichen, Client-Schlüssel und Anmeldungen werden mit gelöscht.',
  removeMore: 'Mein Konto löschen …',
  removeAsk: 'Das Konto endgültig löschen?',
  removeGone:
    'Sofort weg sind: das Konto, die persönlichen Einträge in allen Arbeitsbereichen, Schlüssel, Client-Schlüssel und Unterhaltungen.',
  removeStays: 'Es bleiben: Firmeneinträge und Dokumente, die Sie geschrieben haben, ohne Ihren Namen.',
  removeKey:
    'Wo sonst niemand den Schlüssel eines Arbeitsbereichs hat, sind dessen verschlüsselte Texte danach für immer unlesbar. Bitte ihn vorher weitergeben.',
  removeAction: 'Mein Konto löschen',
  lastAdmin:
    'Ein Arbeitsbereich hätte danach niemanden, der ihn verwaltet. Bitte dort zuerst jemand anderem die Rolle Admin geben oder den Arbeitsbereich löschen.',
  removed: 'Das Konto ist gelöscht.',
  failed: 'Das konnte nicht geladen werden.',
} satisfies Translated<typeof en>;
