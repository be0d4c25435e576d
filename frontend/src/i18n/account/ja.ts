import type { Translated } from '../messages.svelte';
import type en from './en';

export default {
  title: 'マイアカウント',
  signOut: 'サインアウト',

  display: '表示',
  singleKeysHint: '音声で操作するときや、誤ってキーを押してしまうときは、オフにしてください。',

  keys: 'メモリー文書の鍵',
  keysText:
    '暗号化されたものを開く鍵です。パスフレーズはパスワードとは別の秘密で、このブラウザーの外に出ることはありません。',
  keysLooking: '鍵を確認しています…',
  keysNone: 'まだ鍵がありません。「メモリー」のページを初めて開くときに作成します。',
  toMemory: 'メモリーを開く',
  keysNowhere: '鍵は、ワークスペースの「メモリー」のページを初めて開くときに作成します。',
  keysLocked:
    'このブラウザーでは鍵がロックされています。パスフレーズや回復キーを変えるには、ロックを解除してください。',
  keysOpen: 'ロックするかページを閉じるまで、このブラウザーで鍵が開いています。',
  keysFailed: '鍵を確認できませんでした。',
  changePassphrase: 'パスフレーズを変更…',
  changePassphraseAsk: 'パスフレーズを変更',
  changePassphraseText: '今後は、どこでも新しいパスフレーズで鍵が開きます。回復キーは変わりません。',
  passphraseChanged: '新しいパスフレーズで鍵が開くようになりました。',
  newRecovery: '新しい回復キー…',
  newRecoveryAsk: '新しい回復キーを作成しますか？',
  newRecoveryText: '今の回復キーは使えなくなります。新しいキーは一度だけ表示されます。',
  newRecoveryAction: '新しく作成',

  password: 'パスワード',
  passwordText: 'サインイン用です。変更すると、他のサインインとアシスタントのセッションはすべて終了します。',
  present: '現在のパスワード',
  next: '新しいパスワード',
  nextHint: '{n} 文字以上。',
  tooShort: '{n} 文字以上にしてください。',
  changePassword: 'パスワードを変更',
  passwordChanged: 'パスワードを変更しました。他のサインインはすべて終了しました。',
  wrongPassword: 'このアカウントのパスワードではありません。',
  wait: '試行回数が多すぎます。次は {seconds} 秒後に試せます。',

  tokens: 'クライアントの鍵',
  tokensText: '1 つの鍵は 1 つのクライアント用です。切断すると、そのクライアントはすぐに使えなくなります。',
  noTokens: 'クライアントの鍵はありません。',
  lastUsed: '最終使用 {when}',
  neverUsed: '未使用',
  expires: '{when} まで',
  disconnect: '切断',
  disconnectOf: '{name} を切断',
  disconnectAsk: '{name} を切断しますか？',
  disconnectText: '鍵はすぐに使えなくなり、元には戻せません。クライアントが保存したものは残ります。',
  disconnected: '{name} を切断しました。',
  levelNone: 'アクセスなし',
  levelRead: '読み取り',
  levelPersonal: '読み取り、個人メモリーの保存',
  levelContribute: '読み取り、保存、投稿',

  sessions: 'サインインしている場所',
  sessionsText: 'サインインは、8 時間使わないと、また 7 日たつと自動で終了します。',
  session: '{when} からのサインイン',
  thisOne: 'このブラウザー',
  seen: '最終使用 {when}',
  end: '終了',
  endOf: '{when} からのサインインを終了',
  sessionEnded: 'サインインを終了しました。ブラウザーで開いたアシスタントのセッションも終了しました。',

  remove: 'アカウントを削除',
  removeText: 'すべてのワークスペースの個人メモリー、クライアントの鍵、サインインも一緒に削除されます。',
  removeMore: 'アカウントを削除…',
  removeAsk: 'アカウントを完全に削除しますか？',
  removeGone:
    'すぐに削除されるもの: アカウント、すべてのワークスペースの個人の項目、鍵、クライアントの鍵、会話。',
  removeStays: '残るもの: 書いた会社の項目と文書。名前は付きません。',
  removeKey:
    'ワークスペースの鍵を自分だけが持っている場合、その暗号化された文章は二度と読めなくなります。先に鍵を渡してください。',
  removeAction: 'アカウントを削除する',
  lastAdmin:
    '管理者のいないワークスペースが残ります。先に別の人を管理者にするか、ワークスペースを削除してください。',
  removed: 'アカウントを削除しました。',
  failed: '読み込めませんでした。',
} satisfies Translated<typeof en>;
