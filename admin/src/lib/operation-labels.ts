import type { RouteName } from '@mozhan/contract/client.ts';
import { formatDateTime } from './format.ts';

/** Calls that are recorded in the operation log. */
type LoggedCall =
  | Exclude<
      Extract<RouteName, `${'POST' | 'PUT' | 'DELETE'} core/sys/${string}`>,
      | 'POST core/sys/page/preview'
      | 'POST core/sys/search-engine/preview'
      | 'POST core/sys/setting/preview'
      | 'POST core/sys/word/test'
    >
  // Readers and authors use these too; only calls by staff are logged.
  | 'PUT core/essay/status'
  | 'DELETE core/essay/{id}'
  | 'POST core/essay/'
  | 'PUT core/essay/'
  | 'POST core/essay/{id}/revision/restore'
  | 'DELETE core/essay/cmt'
  | 'DELETE core/essay/group/chat'
  | 'PUT core/code/star/'
  | `${'POST' | 'PUT' | 'DELETE'} core/fina/price/`
  | `${'POST' | 'PUT' | 'DELETE'} core/member/`
  | 'PUT core/member/user';

/** The type requires a label for every logged call. */
const callNames: Record<LoggedCall, string> = {
  'POST core/sys/account/': '新建账号',
  'PUT core/sys/account/': '修改账号',
  'DELETE core/sys/account/': '删除账号',
  'POST core/sys/role/': '新建角色',
  'PUT core/sys/role/': '修改角色',
  'DELETE core/sys/role/': '删除角色',
  'PUT core/sys/role/menu/': '设置角色的菜单',
  'POST core/sys/menu/': '新建菜单',
  'PUT core/sys/menu/': '修改菜单',
  'DELETE core/sys/menu/': '删除菜单',
  'PUT core/sys/user/': '修改用户',
  'DELETE core/sys/session/': '结束登录',
  'POST core/sys/ban/': '封禁地址',
  'PUT core/sys/ban/': '修改封禁',
  'DELETE core/sys/ban/': '解除封禁',
  'PUT core/sys/tag/': '标签改名',
  'POST core/sys/tag/merge': '合并标签',
  'DELETE core/sys/tag/': '删除标签',
  'PUT core/sys/checklist/': '修改开站清单',
  'DELETE core/sys/demo/': '移除示例内容',
  'POST core/sys/mail/test': '发送测试邮件',
  'POST core/sys/mail/retry': '重发邮件',
  'PUT core/sys/job/': '重试任务',
  'DELETE core/sys/job/': '删除任务',
  'PUT core/essay/status': '审核、上架或下架文章',
  'PUT core/sys/essay/': '修改文章的分类、标签与网址',
  'PUT core/sys/essay/bulk': '批量修改文章',
  'PUT core/sys/essay/pin': '首页置顶文章',
  'DELETE core/essay/{id}': '删除文章',
  'POST core/essay/': '代作者写文章',
  'PUT core/essay/': '代作者修改文章',
  'POST core/essay/{id}/revision/restore': '代作者恢复版本',
  'PUT core/sys/comment/': '处理评论',
  'DELETE core/essay/cmt': '移除评论',
  'DELETE core/essay/group/chat': '移除群聊消息',
  'PUT core/sys/report/': '处理举报',
  'PUT core/sys/apply/': '处理专家申请',
  'PUT core/code/star/': '推荐码星',
  'POST core/sys/category/': '新建分类',
  'PUT core/sys/category/': '修改分类',
  'DELETE core/sys/category/': '删除分类',
  'POST core/sys/column/': '代作者建专栏',
  'PUT core/sys/column/': '修改专栏',
  'DELETE core/sys/column/': '删除专栏',
  'POST core/sys/cover/': '添加封面或横幅',
  'PUT core/sys/cover/': '修改封面或横幅',
  'DELETE core/sys/cover/': '删除封面或横幅',
  'POST core/sys/announcement/': '发布公告',
  'PUT core/sys/announcement/': '修改公告',
  'DELETE core/sys/announcement/': '删除公告',
  'POST core/sys/word/': '添加敏感词',
  'PUT core/sys/word/': '修改敏感词',
  'DELETE core/sys/word/': '删除敏感词',
  'POST core/sys/search/term': '添加搜索词',
  'DELETE core/sys/search/term': '删除搜索词典的词',
  'POST core/sys/search/reindex': '重建索引',
  'DELETE core/sys/search/reindex': '停止重建索引',
  'POST core/sys/dict/': '新建字典',
  'PUT core/sys/dict/': '修改字典',
  'DELETE core/sys/dict/': '删除字典',
  'POST core/sys/dict/item/': '新建字典条目',
  'PUT core/sys/dict/item/': '修改字典条目',
  'DELETE core/sys/dict/item/': '删除字典条目',
  'POST core/sys/backup/': '立即备份',
  'DELETE core/sys/backup/': '删除备份',
  'POST core/sys/backup/link': '下载备份',
  'PUT core/sys/backup/schedule': '修改定时备份',
  'POST core/sys/transfer/export': '导出',
  'POST core/sys/transfer/import': '导入',
  'POST core/sys/transfer/start': '开始检查过的导入',
  'POST core/sys/transfer/cancel': '停止导入或导出',
  'POST core/sys/transfer/picture/retry': '重取导入的图片',
  'POST core/sys/transfer/undo': '撤销导入',
  'DELETE core/sys/transfer/': '删除导入或导出的记录',
  'DELETE core/sys/media/': '清理未使用的文件',
  'POST core/sys/media/clean': '清理全部没有用到的文件',
  'PUT core/sys/media/quota': '修改上传空间',
  'PUT core/sys/media/user': '修改一个人的上传空间',
  'POST core/sys/page/': '新建页面',
  'PUT core/sys/page/': '修改页面',
  'DELETE core/sys/page/': '删除页面',
  'PUT core/sys/nav/': '修改导航',
  'POST core/sys/friend-link/': '添加友情链接',
  'PUT core/sys/friend-link/': '修改友情链接',
  'DELETE core/sys/friend-link/': '删除友情链接',
  'POST core/sys/redirect/': '添加旧网址跳转',
  'PUT core/sys/redirect/': '修改旧网址跳转',
  'DELETE core/sys/redirect/': '删除旧网址跳转',
  'POST core/sys/redirect/import': '导入旧网址跳转',
  'DELETE core/sys/redirect/missing': '清除找不到的网址',
  'POST core/sys/webhook/': '新建外部通知',
  'PUT core/sys/webhook/': '修改外部通知',
  'DELETE core/sys/webhook/': '删除外部通知',
  'POST core/sys/webhook/test': '测试外部通知',
  'POST core/sys/webhook/redeliver': '重新投递外部通知',
  'PUT core/sys/search-engine/': '修改搜索引擎的验证与抓取规则',
  'PUT core/sys/setting/': '修改站点设置',
  'PUT core/sys/switch/': '修改开关',
  'PUT core/sys/order/refund': '退款',
  'PUT core/sys/order/refund/repeat': '再退一次',
  'PUT core/sys/withdraw/': '处理提现',
  'POST core/sys/finance/reconciliation': '重新对账',
  'POST core/fina/price/': '新增金额档位',
  'PUT core/fina/price/': '修改价格',
  'DELETE core/fina/price/': '删除金额档位',
  'POST core/member/': '新建会员方案',
  'PUT core/member/': '修改会员方案',
  'DELETE core/member/': '删除会员方案',
  'PUT core/member/user': '赠送会员',
};

export const callOptions = Object.entries(callNames).map(([value, label]) => ({ value, label }));

/** Label of a call, or the start of its summary when the call no longer exists. */
export const nameOfCall = (call: string, summary: string): string =>
  (callNames as Record<string, string>)[call] ?? summary.replace(/[；：，].*/, '');

const fieldNames: Record<string, string> = {
  baidu: '百度的验证',
  bing: '必应的验证',
  closed: '不让搜索引擎收录',
  files: '验证文件',
  google: 'Google 的验证',
  robots: '抓取规则',
  so360: '360 搜索的验证',
  sogou: '搜狗的验证',
  attachment: '附件（MB）',
  attachmentQuota: '附件的空间（MB）',
  imageQuota: '图片的空间（MB）',
  account: '账号',
  added: '新增',
  address: '地址',
  allowComment: '允许评论',
  amount: '金额（分）',
  addTags: '增加标签',
  attempts: '次数',
  authorId: '作者',
  bio: '简介',
  bytes: '大小（字节）',
  categoryId: '分类',
  code: '编码',
  categories: '分类',
  adminEmail: '管理员的邮箱',
  backup: '备份',
  colorPrimary: '主色',
  colorWeak: '色弱模式',
  columnId: '专栏',
  commissionPercent: '平台服务费（%）',
  content: '正文',
  contentWidth: '内容宽度',
  created: '新增',
  createdAt: '时间',
  curIdentity: '身份',
  contact: '联系邮箱',
  conversations: '私信与私聊',
  daily: '保留每日备份',
  day: '日期',
  days: '天数',
  device: '设备',
  description: '介绍',
  dict: '字典',
  dictId: '字典',
  dismissed: '收起',
  displayName: '昵称',
  downloaded: '下载',
  email: '联系邮箱',
  enabled: '启用',
  endsAt: '结束时间',
  fixSiderbar: '固定侧栏',
  fixedHeader: '固定顶栏',
  footer: '页脚导航',
  fromId: '发送人',
  guestName: '访客的名字',
  headImg: '头像',
  header: '顶部导航',
  hotDays: '热度的天数',
  hotFloor: '热榜的门槛',
  hour: '几点',
  icon: '图标',
  icp: 'ICP 备案号',
  id: '编号',
  image: '图片',
  inviteDays: '邀请奖励（天）',
  item: '文字',
  kind: '类型',
  known: '已有',
  layout: '布局',
  level: '级别',
  link: '链接',
  logo: '标志',
  madeBy: '来源',
  mail: '邮件',
  menuIds: '菜单',
  memberFree: '会员免费',
  memberUntil: '会员到期',
  menus: '菜单',
  name: '名称',
  navTheme: '导航主题',
  network: '地址或网络',
  no: '订单号',
  note: '备注',
  on: '开启',
  orders: '订单',
  page: '页面',
  parentId: '上级',
  password: '密码',
  path: '路径',
  permission: '权限',
  picked: '推荐',
  pinPosition: '首页置顶的位置',
  pinned: '置顶',
  position: '位置',
  price: '价格（分）',
  psb: '公安备案号',
  published: '发布',
  pwa: '离线支持',
  reason: '理由',
  rechargeMax: '充值上限（分）',
  rechargeMin: '充值下限（分）',
  refundDays: '可退款的天数',
  refundNo: '退款单号',
  refundProblem: '退款未成功的原因',
  refundReason: '退款理由',
  refused: '没有导入',
  region: '属地',
  removeTags: '移除标签',
  removed: '已移除',
  requirePhone: '发布前绑定手机号',
  result: '处理结果',
  revisionStatus: '修订的状态',
  rewardMax: '打赏上限（分）',
  rewardMin: '打赏下限（分）',
  role: '角色',
  roleId: '角色',
  roleIds: '角色',
  roles: '角色',
  scope: '范围',
  secretKey: '密钥',
  showRegion: '显示 IP 属地',
  slug: '地址',
  sort: '排序',
  startsAt: '开始时间',
  state: '状态',
  status: '状态',
  summary: '简介',
  tagline: '一句话介绍',
  tags: '标签',
  target: '新网址',
  terms: '词',
  title: '标题',
  tradeNo: '流水号',
  userId: '用户',
  users: '用户',
  value: '值',
  version: '版本',
  via: '方式',
  weekly: '保留每周备份',
  updated: '更新',
  url: '网址',
  events: '事件',
  essay: '文章',
  essays: '文章',
  expiresAt: '到期时间',
  deliveries: '投递',
  delivery: '投递',
  withdrawMin: '提现下限（分）',
  word: '敏感词',
  wordCount: '字数',
  words: '敏感词',
  chats: '聊天',
  comments: '评论',
  inviteCode: '本站邀请码',
  letters: '私信',
  maintenance: '维护模式',
  maintenanceText: '维护页面上的话',
  registration: '注册',
  reviewedComments: '新用户先审后发的评论数',
  rewards: '打赏',
};

export const nameOfField = (key: string): string => fieldNames[key] ?? key;

const targetKinds: Record<string, string> = {
  account: '账号',
  announcement: '公告',
  apply: '专家申请',
  backup: '备份',
  ban: '封禁',
  category: '分类',
  chat: '消息',
  column: '专栏',
  comment: '评论',
  essay: '文章',
  'friend-link': '友情链接',
  cover: '封面与横幅',
  dict: '字典',
  'dict-item': '字典条目',
  job: '任务',
  mail: '邮件',
  media: '上传的文件',
  member: '会员',
  menu: '菜单',
  order: '订单',
  page: '页面',
  plan: '会员方案',
  price: '价格',
  reconciliation: '对账',
  redirect: '旧网址跳转',
  reindex: '重建索引',
  report: '举报',
  role: '角色',
  'search-term': '搜索词典',
  session: '登录设备',
  setting: '站点设置',
  site: '站点设置',
  star: '码星',
  tag: '标签',
  transfer: '导入导出',
  user: '用户',
  webhook: '外部通知',
  withdraw: '提现',
  word: '敏感词',
};

const singletonTargets: Record<string, string> = {
  'demo:site': '示例内容',
  'nav:site': '导航',
  'price:rules': '价格规则',
  'setting:backups': '定时备份',
  'setting:checklist': '开站清单',
  'setting:search-engines': '搜索引擎',
  'setting:site': '站点设置',
  'setting:switches': '开关',
  'setting:uploads': '每人的上传空间',
};

interface LoggedChange {
  target: string | null;
  before: unknown;
  after: unknown;
}

function recordName(record: unknown): string | undefined {
  if (record === null || typeof record !== 'object') return undefined;
  const { name, title, displayName, account, role, word, item, path, network, address } = record as Record<
    string,
    unknown
  >;
  return [name, title, displayName, account, role, word, item, path, network, address].find(
    (each) => typeof each === 'string',
  );
}

/** `role:0190…` → 角色「运营」; without a name the end of the id, which is its most distinctive part. */
export function nameOfTarget({ target, before, after }: LoggedChange): string {
  if (target === null) return '-';
  const unpaged = singletonTargets[target];
  if (unpaged !== undefined) return unpaged;
  const [kind = '', id = ''] = target.split(':');
  const name = recordName(after) ?? recordName(before);
  const which = name === undefined ? ` ${id.length > 12 ? `…${id.slice(-6)}` : id}` : `「${name}」`;
  return `${targetKinds[kind] ?? kind}${which}`.trim();
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

export function toText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '-';
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (typeof value === 'string' && TIME.test(value)) return formatDateTime(value);
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(toText).join('、');
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}
