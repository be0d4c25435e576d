import type { Translated } from '../messages.svelte';
import type en from './en';

export default {
  looking: 'Die Schlüssel werden geprüft …',
  back: 'Zurück',

  outdated: 'Dieser Browser ist zu alt',
  outdatedText:
    'Er kennt die Art von Schlüsseln nicht, mit denen das Dokument verschlüsselt ist. Bitte aktualisieren oder diese Seite in einem anderen Browser öffnen. Einträge und Clients funktionieren hier.',

  setUp: 'Passphrase wählen',
  setUpWhy:
    'Gedächtnis-Dokument, Notizen und Unterhaltungen werden in diesem Browser verschlüsselt, bevor sie gesendet werden. Die Passphrase öffnet die Schlüssel dafür.',
  setUpDiffers:
    'Sie ist nicht das Passwort für die Anmeldung: Sie verlässt diesen Browser nie, und niemand kann sie zurücksetzen.',
  passphrase: 'Passphrase',
  newPassphrase: 'Neue Passphrase',
  present: 'Bisherige Passphrase',
  presentHint: 'Oder der Wiederherstellungsschlüssel. Das belegt, dass Sie es sind.',
  wrongPresent: 'Das ist weder die Passphrase noch der Wiederherstellungsschlüssel.',
  passphraseHint:
    'Mindestens {n} Zeichen. Ein paar Wörter ohne Zusammenhang sind leicht zu merken und schwer zu erraten.',
  again: 'Noch einmal dieselbe',
  tooShort: 'Bitte mindestens {n} Zeichen.',
  notTheSame: 'Die beiden stimmen nicht überein.',
  likePassword:
    'Bitte etwas anderes als das Passwort wählen, denn dieses sieht der Server bei der Anmeldung.',
  makeKeys: 'Schlüssel erstellen',
  deriving: 'Wird berechnet … Das dauert mit Absicht eine Sekunde.',

  keep: 'Den Wiederherstellungsschlüssel aufbewahren',
  keepText:
    'Ist die Passphrase einmal vergessen, öffnet dieser Schlüssel die eigenen Schlüssel. Er wird jetzt gezeigt und nie wieder: ausdrucken, aufschreiben oder in einem Passwortmanager ablegen.',
  keepWarning:
    'Gehen Passphrase und dieser Schlüssel verloren, lassen sich neue Schlüssel erstellen, und wer den Schlüssel des Arbeitsbereichs sonst noch hat, kann ihn wieder weitergeben. Hat ihn sonst niemand, ist der Text verloren: Auch der Betreiber des Servers kann nicht helfen.',
  recoveryKey: 'Wiederherstellungsschlüssel',
  download: 'Herunterladen',
  downloadName: 'workspace-memory-wiederherstellung.txt',
  downloadText:
    'Wiederherstellungsschlüssel für Workspace Memory von {email}, erstellt am {date} auf {address}',
  kept: 'Ich habe ihn aufbewahrt',

  unlock: 'Das Gedächtnis-Dokument entsperren',
  unlockText:
    'Die Passphrase öffnet die Schlüssel in diesem Browser. Wird die Seite geschlossen oder neu geladen, sind sie wieder gesperrt.',
  unlockAction: 'Entsperren',
  useRecovery: 'Stattdessen den Wiederherstellungsschlüssel verwenden',
  lostBoth: 'Ich habe beides verloren',
  wrongPassphrase: 'Diese Passphrase öffnet die Schlüssel nicht.',

  recover: 'Mit dem Wiederherstellungsschlüssel öffnen',
  recoverText:
    'Danach wird eine neue Passphrase gewählt. Der Wiederherstellungsschlüssel bleibt, wie er ist.',
  recoverHint: '14 Gruppen zu 4 Zeichen. Leerzeichen, Bindestriche und Kleinschreibung spielen keine Rolle.',
  recoverAction: 'Schlüssel öffnen',
  mistypedLength: 'Ein Wiederherstellungsschlüssel hat 56 Zeichen. Hier sind es mehr oder weniger.',
  mistypedCharacter: 'Gruppe {n} enthält ein Zeichen, das in keinem Wiederherstellungsschlüssel vorkommt.',
  mistypedChecksum: 'Mindestens ein Zeichen stimmt nicht. Bitte Gruppe für Gruppe vergleichen.',
  wrongRecovery:
    'Dieser Wiederherstellungsschlüssel öffnet die Schlüssel nicht. Vielleicht gibt es inzwischen einen neueren.',
  chooseNew: 'Neue Passphrase wählen',
  chooseNewText:
    'Die Schlüssel sind offen. Von jetzt an öffnet sie die neue Passphrase; die alte gilt nicht mehr.',
  choose: 'Diese Passphrase verwenden',

  replace: 'Die eigenen Schlüssel ersetzen',
  replaceText:
    'Die alten Schlüssel sind dann endgültig weg, und es gibt neue. In jedem Arbeitsbereich heißt es danach warten, bis ein Mitglied, das dessen Schlüssel hat, ihn wieder weitergibt.',
  replaceHolders: 'In diesem Arbeitsbereich haben den Schlüssel: {names}.',
  replaceNobody:
    'Niemand sonst hat den Schlüssel dieses Arbeitsbereichs. Dokument, Notizen und Unterhaltungen sind danach für immer unlesbar.',
  password: 'Passwort des Kontos',
  passwordHint: 'Es belegt, dass Sie es sind.',
  replaceAction: 'Schlüssel ersetzen',
  wrongPassword: 'Das ist nicht das Passwort dieses Kontos.',

  noKey: 'Dieser Arbeitsbereich hat noch keinen Schlüssel',
  noKeyMay: 'Ein Klick erstellt ihn. Danach kann er an die anderen Mitglieder weitergegeben werden.',
  noKeyWho: 'Wer verwalten oder bearbeiten darf, erstellt ihn beim Öffnen dieser Seite: {names}.',
  makeKey: 'Schlüssel erstellen',
  looksByItself: 'Diese Seite sieht von selbst alle paar Sekunden nach.',

  waiting: 'Warten auf den Schlüssel dieses Arbeitsbereichs',
  waitingText:
    'Die eigenen Schlüssel sind bereit. Wer den Schlüssel des Arbeitsbereichs hat, gibt ihn mit einem Klick auf dieser Seite weiter.',
  whoCanHelp: 'Wer helfen kann',
  ownFingerprint: 'Eigener Fingerabdruck',
  ownFingerprintText:
    'Am Telefon oder persönlich der Person nennen, die den Schlüssel weitergibt. So weiß sie, dass es Ihre Schlüssel sind.',
  copyFingerprint: 'Fingerabdruck kopieren',

  lost: 'Niemand hat mehr den Schlüssel dieses Arbeitsbereichs',
  lostText:
    'Wer ihn zuletzt hatte, ist gegangen oder hat die eigenen Schlüssel ersetzt. Was damit verschlüsselt wurde, bleibt gespeichert, ist aber für immer unlesbar.',
  lostAsk:
    'Das sagt der Server. Bitte die anderen Mitglieder fragen, ob jemand das Dokument noch öffnen kann.',
  lostWho: 'Neu anfangen kann, wer verwalten oder bearbeiten darf: {names}.',
  beginAnew: 'Neu anfangen',
  beginAnewMore: 'Neu anfangen …',
  beginAnewAsk: 'Mit einem anderen Schlüssel neu anfangen?',
  beginAnewText:
    'Das bisherige Dokument, die Notizen und die Unterhaltungen bleiben für alle und für immer verschlossen. Was von jetzt an geschrieben wird, wird mit einem anderen Schlüssel verschlüsselt.',

  changed: 'Der Schlüssel von {name} ist nicht der, den dieser Browser kennt',
  changedSomebody: 'Der Schlüssel einer ausgeschiedenen Person ist nicht der, den dieser Browser kennt',
  changedText:
    'Entweder hat {name} jetzt andere Schlüssel, oder jemand will mitlesen. Es wurde nichts geöffnet und nichts gesendet. Bitte {name} am Telefon oder persönlich fragen, nicht über diesen Dienst.',
  changedGone:
    'Wer den Schlüssel weitergegeben hat, ist kein Mitglied mehr, sodass sich nichts vergleichen lässt. Bitte die Administration, den Schlüssel noch einmal weiterzugeben.',
  knownHere: 'Hier bisher bekannt',
  shownNow: 'Jetzt vom Server gezeigt',
  compared: 'Ich habe ihn mit {name} verglichen, und er stimmt überein.',
  trust: 'Dem neuen Schlüssel vertrauen',
  rolledBack: 'Der Server zeigt weniger als vorher',
  rolledBackText:
    'Dieser Browser hat schon Nummer {seen} gesehen, der Server zeigt Nummer {presented}. Entweder wurde eine ältere Sicherung eingespielt, oder jemand hält die neuesten Fassungen zurück. Es wurde nichts geöffnet. Bitte nichts schreiben, bevor der Betreiber des Servers es erklärt hat.',
  distrusted: 'Was der Server gesendet hat, ist nicht vertrauenswürdig',
  distrustedText:
    'Es wurde nichts geöffnet und nichts gesendet. Bitte dem Betreiber des Servers Bescheid geben und nicht weitermachen, bis es geklärt ist.',
  reasonParameters: 'Die Passphrase soll mit Werten verarbeitet werden, denen kein Client folgt.',
  reasonSignature: 'Ein Schlüssel trägt nicht die Unterschrift der Person, von der er kommen soll.',
  reasonSeal: 'Etwas Verschlüsseltes wurde verändert, verschoben oder weggelassen.',
  reasonCheckValue: 'Der weitergegebene Schlüssel ist nicht der Schlüssel dieses Arbeitsbereichs.',
  reasonChain: 'Ältere Schlüssel sollen verloren sein, die dieser Browser schon geöffnet hat.',
  reasonPublicKey: 'Was ein öffentlicher Schlüssel sein soll, ist keiner.',
  reasonOtherKeys:
    'Die gespeicherten Schlüssel sind nicht die, die hier offen sind. Vielleicht wurden sie in einem anderen Browser ersetzt.',
  forgetful: 'Dieser Browser merkt sich keine Schlüssel',
  forgetfulText:
    'Er muss sich die Schlüssel anderer merken, damit niemand sie unbemerkt austauscht. Private Fenster und Einstellungen können das verbieten. Ist das Gemerkte beschädigt, bitte die Daten dieser Website löschen; Fingerabdrücke werden dann neu verglichen.',
  lookAgain: 'Noch einmal nachsehen',
  lockAgain: 'Sperren und neu entsperren',
  failed: 'Die Schlüssel konnten nicht geprüft werden',

  lock: 'Das Gedächtnis-Dokument sperren',
  lockShort: 'Sperren',
  lockEnded: 'Gesperrt. Die Sitzung des Assistenten in diesem Browser wurde ebenfalls beendet.',
  stillOpen: 'Gesperrt, aber die Sitzung des Assistenten in diesem Browser ist noch offen, bis {when}',
  stillOpenText:
    'Sie ließ sich nicht beenden: Der Dienst hat es nicht getan oder antwortet nicht. Bis dahin kann, wer an diesem Browser ist, den Assistenten nach dem Gedächtnis fragen. Beenden lässt sie sich auch in den Einstellungen oder durch Abmelden.',
  perhapsOpen: 'Gesperrt, aber in diesem Browser ist vielleicht noch eine Sitzung des Assistenten offen',
  perhapsOpenText:
    'Der Dienst ließ sich nicht danach fragen. Ist eine offen, kann, wer an diesem Browser ist, den Assistenten nach dem Gedächtnis fragen, bis sie von selbst endet. Beenden lässt sie sich auch in den Einstellungen oder durch Abmelden.',
  stillOpenEnd: 'Jetzt beenden',
  waits: {
    one: '{names} wartet auf den Schlüssel dieses Arbeitsbereichs',
    other: '{n} Mitglieder warten auf den Schlüssel dieses Arbeitsbereichs: {names}',
  },
  waitsText:
    'Ohne ihn lässt sich das Gedächtnis-Dokument nicht lesen. Sie haben den Schlüssel und können ihn weitergeben.',
  passOn: 'Schlüssel weitergeben',
  passOnTo: 'Schlüssel an {name} weitergeben',
  passOnAsk: 'Den Schlüssel an {name} weitergeben?',
  passOnText: '{name} kann dann das Gedächtnis-Dokument mit seiner ganzen Geschichte und die Notizen lesen.',
  compareText:
    'Bitte den Fingerabdruck mit {name} am Telefon oder persönlich vergleichen, nicht über diesen Dienst. Der Server könnte den Schlüssel von jemand anderem zeigen.',
  fingerprint: 'Fingerabdruck',
  fingerprintOf: 'Fingerabdruck von {name}',
  metBefore: 'Dieser Browser hat genau diesen Schlüsseln schon vertraut.',
  isSame: 'Stimmt überein: weitergeben',
  isSameNext: 'Stimmt überein: weiter',
  passedOn: '{name} hat jetzt den Schlüssel.',
  notConfirmed:
    'Die Schlüssel von {name} haben sich während des Vergleichs geändert. Bitte noch einmal vergleichen.',

  due: 'Jemand, der den Schlüssel hatte, ist gegangen',
  dueText:
    'Ein neuer Schlüssel sorgt dafür, dass Ausgeschiedene nicht lesen können, was von jetzt an geschrieben wird. Alle anderen behalten, was sie haben. Offene Sitzungen des Assistenten enden.',
  makeNew: 'Jetzt neuen Schlüssel erstellen',
  strangerAsk: 'Ist das {name}?',
  strangerText:
    '{name} soll den Schlüssel haben und bekommt auch den neuen. Dieser Browser kennt {name} noch nicht.',
  strangerStep: '{at} von {of}',
  made: 'Der Arbeitsbereich hat einen neuen Schlüssel. Sitzungen des Assistenten sind beendet; bei Bedarf bitte eine neue öffnen.',
  othersFirst:
    'Jemand war schneller, oder die Mitglieder haben sich geändert. Bitte nachsehen und noch einmal versuchen.',

  members: 'Wer den Schlüssel hat',
  membersText:
    'Mitglieder mit dem Schlüssel können das Gedächtnis-Dokument lesen. Sie geben ihn aneinander weiter; der Server kann das nicht.',
  holds: 'Hat den Schlüssel',
  waitsBadge: 'Wartet auf den Schlüssel',
  noKeys: 'Hat noch keine Schlüssel',
  otherKeys: 'Andere Schlüssel als bisher',
  compare: 'Vergleichen …',
  you: 'Sie',
  makeNewMore: 'Neuen Schlüssel erstellen …',
  makeNewAsk: 'Einen neuen Schlüssel für diesen Arbeitsbereich erstellen?',
  makeNewText:
    'Alle offenen Sitzungen des Assistenten in diesem Arbeitsbereich enden, auch die von anderen. Wer den neuen Schlüssel bekommt, kann Bisheriges weiter lesen.',
  makeNewHolders: 'Den neuen Schlüssel bekommen: {names}.',
  unlockToPassOn: 'Zum Weitergeben des Schlüssels bitte die eigenen Schlüssel entsperren.',

  changedElsewhere:
    'Die Schlüssel wurden inzwischen in einem anderen Fenster geändert. Bitte noch einmal versuchen.',
  noMemory:
    'Der Browser konnte die Passphrase nicht verarbeiten: zu wenig Speicher, oder es wurde blockiert.',
  strangeCharacters: 'Die Passphrase enthält Zeichen, die kein Text sind.',
  recoveryOwed: 'Ihr Wiederherstellungsschlüssel ist noch nicht aufbewahrt',
  recoveryOwedText:
    'Er wurde in diesem Browser erstellt, und die Seite verschwand, bevor er aufbewahrt werden konnte. Ohne ihn schließt eine vergessene Passphrase Ihre Schlüssel für immer.',
  recoveryOwedAction: 'Neuen Wiederherstellungsschlüssel erstellen',
  recoveryOwedLocked:
    'Hier wurde ein Wiederherstellungsschlüssel erstellt und noch nicht aufbewahrt. Nach dem Entsperren lässt sich ein neuer erstellen.',
} satisfies Translated<typeof en>;
