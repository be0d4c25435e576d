import type { Translated } from '../messages.svelte';
import type en from './en';

export default {
  product: 'Workspace Memory',
  signIn: 'サインイン',
  email: 'メールアドレス',
  password: 'パスワード',
  refused: 'メールアドレスまたはパスワードが違います。',
  wait: '試行回数が多すぎます。次は {seconds} 秒後に試せます。',
  insecure: 'サインインには https が必要です',
  insecureText:
    '別のマシンから http で接続すると、パスワードが読み取られるおそれがあります。https:// で開くか、サーバーの運営者に問い合わせてください。',
  unreachable: 'サービスが応答しません。接続を確認して、もう一度お試しください。',
  forgotten: 'パスワードを忘れた場合',
  forgottenText:
    'ワークスペースの管理者が、「ユーザー」のページで新しいパスワード用のリンクを作成できます。サーバー上では: workspace-memory user reset-password EMAIL',
  noAccount: 'アカウントがまだない場合',
  noAccountText: '受け取ったリンクを開いてください。最初のリンクは、サーバーの起動時に表示されます。',

  looking: 'リンクを確認しています…',
  setup: 'Workspace Memory へようこそ',
  setupText: 'アカウントと最初のワークスペースを作成します。他の人は後から招待できます。',
  join: '{workspace} に参加',
  joinText: '{email} への招待です。',
  joinNew: '新しいアカウントの名前とパスワードを決めてください。',
  joinKnown: 'アカウントは既にあります。パスワードでご本人であることを確認します。',
  reset: '新しいパスワード',
  resetText:
    '{email} のパスワードです。このアカウントのサインインとアシスタントのセッションはすべて終了します。',
  name: '名前',
  nameHint: '任意です。書いたものと一緒に表示されます。空欄ならメールアドレスの先頭になります。',
  workspaceName: 'ワークスペースの名前',
  workspaceNameHint: '任意です。会社名やチーム名など。後から変更できます。',
  newPassword: '新しいパスワード',
  passwordHint: '{n} 文字以上。メモリー文書のパスフレーズは後で決める、別のものです。',
  tooShort: '{n} 文字以上にしてください。',
  begin: '始める',
  joinAction: '参加する',
  useIt: 'このパスワードを使う',
  wrongPassword: '{email} のパスワードではありません。',
  otherAccount: '{email} でサインインしています',
  otherAccountText: 'そのサインインは終了し、{other} として続けます。',
  invalid: 'このリンクは使えません',
  invalidText:
    '使用済み、期限切れ、新しいリンクへの差し替え、または途中で切れています。リンクをくれた人に新しいものを頼んでください。以前に使った場合は、サインインしてください。',
  missing: 'リンクをもう一度開いてください',
  missingText:
    '末尾の秘密の文字列は、履歴に残らないよう、すぐにアドレスバーから取り除かれます。再読み込みした後は、リンクを開き直す必要があります。',
  alreadySetUp: '最初のアカウントは既に作成されています。サインインしてください。',
  alreadyMember: 'このアカウントは既に参加しています。サインインしてください。',
  toSignIn: 'サインインへ',
  done: '完了しました',
  doneText:
    'リンクは使用されました。ここからのサインインはできませんでした。サインインのページでお試しください。',
} satisfies Translated<typeof en>;
