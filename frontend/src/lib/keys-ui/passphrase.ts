/** What a new passphrase has to be: the same as the command line asks for. */
export const PASSPHRASE_CHARACTERS_MIN = 12;

/** What is wrong with a passphrase that is typed twice; null when nothing is. `password` is what it must differ from. */
export function passphraseMistake(
  passphrase: string,
  again: string,
  password = '',
): 'tooShort' | 'notTheSame' | 'likePassword' | null {
  // Characters as people count them, not halves of surrogate pairs.
  if ([...passphrase].length < PASSPHRASE_CHARACTERS_MIN) return 'tooShort';
  if (password && passphrase === password) return 'likePassword';
  return passphrase === again ? null : 'notTheSame';
}
