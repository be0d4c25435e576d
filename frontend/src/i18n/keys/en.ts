export default {
  looking: 'Looking at your keys…',
  back: 'Back',

  outdated: 'This browser is too old',
  outdatedText:
    'It does not know the kind of keys that the document is encrypted with. Update it, or open this page in another browser. Items and clients work here.',

  // Own keys.
  setUp: 'Choose a passphrase',
  setUpWhy:
    'The Memory document, notes and conversations are encrypted in this browser before they are sent. The passphrase opens your keys for that.',
  setUpDiffers:
    'It is not the password that you sign in with: it never leaves this browser, and nobody can reset it for you.',
  passphrase: 'Passphrase',
  newPassphrase: 'New passphrase',
  present: 'Present passphrase',
  presentHint: 'Or your recovery key. It proves that it is you.',
  wrongPresent: 'This is neither your passphrase nor your recovery key.',
  passphraseHint: 'At least {n} characters. A few unrelated words are easy to remember and hard to guess.',
  again: 'The same once more',
  tooShort: 'At least {n} characters, please.',
  notTheSame: 'The two are not the same.',
  likePassword: 'Choose something else than your password, which the server sees when you sign in.',
  makeKeys: 'Make my keys',
  deriving: 'Working it through… This takes a second on purpose.',

  keep: 'Keep your recovery key',
  keepText:
    'If you ever forget the passphrase, this key opens your keys. It is shown now and never again: print it, write it down, or put it into a password manager.',
  keepWarning:
    'If you lose both the passphrase and this key, you make new keys, and somebody else who holds the key of the workspace can pass it on to you again. If nobody else holds it, the text is lost: not even the operator of the server can help.',
  recoveryKey: 'Recovery key',
  download: 'Download',
  downloadName: 'workspace-memory-recovery-key.txt',
  downloadText: 'Recovery key of Workspace Memory for {email}, made on {date} at {address}',
  kept: 'I have kept it',

  unlock: 'Unlock the Memory document',
  unlockText:
    'Your passphrase opens your keys in this browser. Closing or reloading the page locks them again.',
  unlockAction: 'Unlock',
  useRecovery: 'Use the recovery key instead',
  lostBoth: 'I have lost both',
  wrongPassphrase: 'This passphrase does not open your keys.',

  recover: 'Open your keys with the recovery key',
  recoverText: 'Afterwards you choose a new passphrase. The recovery key stays as it is.',
  recoverHint: '14 groups of 4 characters. Blanks, hyphens and small letters do not matter.',
  recoverAction: 'Open my keys',
  mistypedLength: 'A recovery key has 56 characters. This has more or fewer.',
  mistypedCharacter: 'Group {n} has a character that no recovery key has.',
  mistypedChecksum: 'At least one character is another one. Compare it group by group.',
  wrongRecovery: 'This recovery key does not open your keys. A newer one may have taken its place.',
  chooseNew: 'Choose a new passphrase',
  chooseNewText:
    'Your keys are open. From now on the new passphrase opens them; the old one does not any more.',
  choose: 'Use this passphrase',

  replace: 'Replace your keys',
  replaceText:
    'Your old keys are gone for good, and you get new ones. In every workspace you then wait until a member who holds its key passes it on to you again.',
  replaceHolders: 'In this workspace the key is held by {names}.',
  replaceNobody:
    'Nobody else holds the key of this workspace. Its document, notes and conversations can then never be read again.',
  password: 'Password of your account',
  passwordHint: 'It proves that it is you.',
  replaceAction: 'Replace my keys',
  wrongPassword: 'This is not the password of your account.',

  // The workspace key.
  noKey: 'This workspace has no key yet',
  noKeyMay: 'Make it with one click. You can pass it on to the other members afterwards.',
  noKeyWho: 'An admin or an editor makes it by opening this page: {names}.',
  makeKey: 'Make the key',
  looksByItself: 'This page looks again by itself every few seconds.',

  waiting: 'Waiting for the key of this workspace',
  waitingText:
    'Your keys are ready. Somebody who holds the key passes it on to you, with one click on this page.',
  whoCanHelp: 'Who can help',
  ownFingerprint: 'Your fingerprint',
  ownFingerprintText:
    'Tell it by telephone or in person to whoever passes the key on, so that they know that these are your keys.',
  copyFingerprint: 'Copy the fingerprint',

  lost: 'Nobody holds the key of this workspace any more',
  lostText:
    'The last one who had it has left, or has replaced the own keys. What was encrypted with it is kept, but can never be read again.',
  lostAsk:
    'That is what the server says. Ask the other members whether one of them can still open the document.',
  lostWho: 'An admin or an editor can begin anew: {names}.',
  beginAnew: 'Begin anew',
  beginAnewMore: 'Begin anew…',
  beginAnewAsk: 'Begin anew with another key?',
  beginAnewText:
    'The document, notes and conversations so far stay closed for everybody, for ever. What is written from now on is encrypted with another key.',

  // What cannot be trusted.
  changed: 'The key of {name} is not the one that this browser knows',
  changedSomebody: 'A key of somebody who has left is not the one that this browser knows',
  changedText:
    'Either {name} has other keys now, or somebody wants to read along. Nothing was opened and nothing was sent. Ask {name} by telephone or in person, and not through this service.',
  changedGone:
    'Whoever passed the key on to you is no member any more, so that the key cannot be compared. Ask an admin to pass the key on to you again.',
  knownHere: 'Known here until now',
  shownNow: 'Shown by the server now',
  compared: 'I have compared it with {name}, and it is the same.',
  trust: 'Trust the new key',
  rolledBack: 'The server shows less than it did before',
  rolledBackText:
    'This browser has seen number {seen} already, and the server shows number {presented}. Either an older backup was restored, or somebody hides the newest versions. Nothing was opened. Do not write anything before the operator of the server has explained it.',
  distrusted: 'What the server sent cannot be trusted',
  distrustedText:
    'Nothing was opened and nothing was sent. Tell the operator of the server, and do not go on until it is clear.',
  reasonParameters: 'The passphrase is to be worked through with settings that no client follows.',
  reasonSignature: 'A key does not carry the signature of the person it is said to come from.',
  reasonSeal: 'Something encrypted was changed, moved or left out.',
  reasonCheckValue: 'The key that you were given is not the key of this workspace.',
  reasonChain: 'Older keys are said to be lost that this browser has opened before.',
  reasonPublicKey: 'Something that should be a public key is none.',
  reasonOtherKeys:
    'The stored keys are not those that are open here. They may have been replaced in another browser.',
  forgetful: 'This browser does not remember keys',
  forgetfulText:
    'It has to remember the keys of other people, so that nobody can exchange them unnoticed. Private windows and settings can forbid that. If what it remembered is damaged, delete the data of this site; fingerprints are then compared anew.',
  lookAgain: 'Look again',
  lockAgain: 'Lock, and unlock again',
  failed: 'Your keys could not be looked at',

  // Open.
  lock: 'Lock the Memory document',
  lockShort: 'Lock',
  lockEnded: 'Locked. The Assistant’s session in this browser was ended too.',
  stillOpen: 'Locked, but the Assistant’s session in this browser is still open until {when}',
  stillOpenText:
    'It could not be ended: the service did not do it or does not answer. Until then, whoever is at this browser can ask the Assistant about the memory. It can also be ended in Settings, or by signing out.',
  perhapsOpen: 'Locked, but a session of the Assistant may still be open in this browser',
  perhapsOpenText:
    'The service could not be asked for it. If one is open, whoever is at this browser can ask the Assistant about the memory until it ends by itself. It can also be ended in Settings, or by signing out.',
  stillOpenEnd: 'End it now',
  waits: {
    one: '{names} waits for the key of this workspace',
    other: '{n} members wait for the key of this workspace: {names}',
  },
  waitsText: 'Without it, the Memory document cannot be read. You hold the key and can pass it on.',
  passOn: 'Pass the key on',
  passOnTo: 'Pass the key on to {name}',
  passOnAsk: 'Pass the key on to {name}?',
  passOnText: '{name} can then read the Memory document with its whole history, and the notes.',
  compareText:
    'Compare the fingerprint with {name} by telephone or in person, and not through this service. The server could show you the key of somebody else.',
  fingerprint: 'Fingerprint',
  fingerprintOf: 'Fingerprint of {name}',
  metBefore: 'This browser has trusted these very keys before.',
  isSame: 'It is the same: pass the key on',
  isSameNext: 'It is the same: go on',
  passedOn: '{name} holds the key now.',
  notConfirmed: 'The keys of {name} have changed while you compared. Compare them once more.',

  due: 'Somebody who had the key has left',
  dueText:
    'Make a new key, so that what is written from now on stays closed to whoever has left. All others keep what they have. Open Assistant sessions end.',
  makeNew: 'Make a new key now',
  strangerAsk: 'Is this {name}?',
  strangerText:
    '{name} is said to hold the key, and gets the new one as well. This browser does not know {name} yet.',
  strangerStep: '{at} of {of}',
  made: 'The workspace has a new key. Assistant sessions have ended; open one again when you need it.',
  othersFirst: 'Somebody else was first, or the members have changed. Look, and try again.',

  // Members.
  members: 'Who holds the key',
  membersText:
    'Members with the key can read the Memory document. They pass it on to each other; the server cannot.',
  holds: 'Holds the key',
  waitsBadge: 'Waits for the key',
  noKeys: 'Has no keys yet',
  otherKeys: 'Other keys than before',
  compare: 'Compare…',
  you: 'you',
  makeNewMore: 'Make a new key…',
  makeNewAsk: 'Make a new key for this workspace?',
  makeNewText:
    'All open Assistant sessions of this workspace end, those of others too. What was written stays readable to everybody who gets the new key.',
  makeNewHolders: 'The new key goes to {names}.',
  unlockToPassOn: 'Unlock your keys to pass the key on.',

  // Refusals.
  changedElsewhere: 'Your keys were changed in another window in the meantime. Try again.',
  noMemory: 'The browser could not work the passphrase through: too little memory, or it was blocked.',
  strangeCharacters: 'The passphrase has characters that are no text.',
  recoveryOwed: 'Your recovery key was never said to be kept',
  recoveryOwedText:
    'It was made in this browser, and the page went away before it could be kept. Without it, a forgotten passphrase closes your keys for good.',
  recoveryOwedAction: 'Make a new recovery key',
  recoveryOwedLocked:
    'A recovery key was made here and never said to be kept. Unlock the keys to make a new one.',
} as const;
