export default {
  title: 'My account',
  signOut: 'Sign out',

  display: 'Display',
  singleKeysHint: 'Switch it off if you steer by voice, or press keys by accident.',

  keys: 'Keys of the Memory document',
  keysText:
    'They open what is encrypted. The passphrase is another secret than your password and never leaves this browser.',
  keysLooking: 'Looking at your keys…',
  keysNone: 'You have no keys yet. They are made when you first open the Memory page.',
  toMemory: 'Open Memory',
  keysNowhere: 'Keys are made when you first open the Memory page of a workspace.',
  keysLocked:
    'Your keys are locked in this browser. Unlock them to change the passphrase or the recovery key.',
  keysOpen: 'Your keys are open in this browser until you lock them or close the page.',
  keysFailed: 'Your keys could not be looked at.',
  changePassphrase: 'Change the passphrase…',
  changePassphraseAsk: 'Change the passphrase',
  changePassphraseText:
    'The new one opens your keys from now on, everywhere. The recovery key stays as it is.',
  passphraseChanged: 'The new passphrase opens your keys now.',
  newRecovery: 'New recovery key…',
  newRecoveryAsk: 'Make a new recovery key?',
  newRecoveryText: 'The one that you have now stops working. The new one is shown once.',
  newRecoveryAction: 'Make a new one',

  password: 'Password',
  passwordText: 'For signing in. Another one ends all other sessions, and all Assistant sessions.',
  present: 'Present password',
  next: 'New password',
  nextHint: 'At least {n} characters.',
  tooShort: 'At least {n} characters, please.',
  changePassword: 'Change the password',
  passwordChanged: 'The password is changed. All other sessions have ended.',
  wrongPassword: 'This is not the password of your account.',
  wait: 'Too many attempts. The next one is possible in {seconds} s.',

  tokens: 'Access tokens',
  tokensText:
    'One for each client that you have connected. What is revoked cannot connect any more, at once.',
  noTokens: 'No client is connected with a token of yours.',
  lastUsed: 'Last used {when}',
  neverUsed: 'Never used',
  expires: 'until {when}',
  revoke: 'Revoke',
  revokeOf: 'Revoke {name}',
  revokeAsk: 'Revoke {name}?',
  revokeText:
    'The client that uses it cannot connect any more. What it has saved stays. A revoked token stays revoked.',
  revoked: '{name} is revoked.',
  levelNone: 'No access',
  levelRead: 'Reads',
  levelPersonal: 'Reads, saves personal memory',
  levelContribute: 'Reads, saves, contributes',

  sessions: 'Where you are signed in',
  sessionsText: 'A session ends by itself after 8 hours without use, and after 7 days in any case.',
  session: 'Session since {when}',
  thisOne: 'This one',
  seen: 'Last seen {when}',
  end: 'End',
  endOf: 'End the session since {when}',
  sessionEnded: 'The session has ended, and the Assistant sessions that were opened in browsers.',

  remove: 'Delete the account',
  removeText: 'Your personal memory in every workspace, your tokens and your sessions go along.',
  removeMore: 'Delete my account…',
  removeAsk: 'Delete your account for good?',
  removeGone:
    'Gone at once: your account, your personal memory items in every workspace, your keys, tokens and conversations.',
  removeStays: 'Staying: company memory and documents that you wrote, without your name.',
  removeKey:
    'Where you are the only one who holds the key of a workspace, its encrypted texts can never be read again. Pass it on first.',
  removeAction: 'Delete my account',
  lastAdmin:
    'A workspace would be left without an admin. Make somebody else an admin there first, or delete the workspace.',
  removed: 'Your account is deleted.',
  failed: 'This could not be loaded.',
} as const;
