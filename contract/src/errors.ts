/** Every error code of the API: HTTP status and default Chinese message. */
export const errorDefinitions = {
  MALFORMED: [400, '请求的格式不对，请检查后重试'],
  SIGN_IN_REQUIRED: [401, '请先登录'],
  WRONG_PASSWORD: [401, '账号或密码不对'],
  WRONG_TOTP: [401, '动态验证码不对或已用过'],
  FORBIDDEN: [403, '没有权限进行这个操作'],
  ADDRESS_BANNED: [403, '你的网络地址被本站限制访问，如有疑问请联系管理员'],
  TOKEN_SCOPE: [403, '令牌没有这项权限'],
  PASSWORD_CHANGE_REQUIRED: [403, '请先修改初始密码'],
  NOT_FOUND: [404, '没有找到要访问的内容'],
  METHOD_NOT_ALLOWED: [405, '这个地址不支持该请求方法'],
  NOT_ACCEPTABLE: [406, '没有所请求的格式'],
  STALE_VERSION: [409, '内容已在别处更新，请核对后再保存'],
  REQUEST_ID_REUSED: [409, '同一个 requestId 已用于另一份内容'],
  GONE: [410, '内容已被删除'],
  TOO_LARGE: [413, '内容太大'],
  ADDRESS_TOO_LONG: [414, '网址太长'],
  UNSUPPORTED_TYPE: [415, '不支持这种内容类型'],
  INVALID: [422, '填写的内容有误'],
  TOO_MANY_REQUESTS: [429, '操作太频繁，请稍后再试'],
  ACCOUNT_LOCKED: [429, '失败次数太多，账号已临时锁定，请稍后再试'],
  INTERNAL: [500, '服务器出错了，请稍后再试'],
  MAINTENANCE: [503, '网站正在维护，请稍后再来'],
  UNAVAILABLE: [503, '服务暂时不可用，请稍后再试'],
  TIMEOUT: [504, '处理超时，请稍后再试'],

  CHALLENGE_REQUIRED: [200, '请先完成安全验证'],
  CHALLENGE_FAILED: [200, '安全验证未通过，请重试'],
  TOTP_REQUIRED: [200, '请输入动态验证码'],
  REAUTH_REQUIRED: [200, '请再次验证身份'],
  CHANGE_LOCKED: [200, '刚撤销过，24 小时内不能再做这项变更'],
  TOTP_ALREADY_ON: [200, '两步验证已经开启'],
  TOTP_NOT_ENROLLED: [200, '请先获取两步验证的密钥'],
  ACCOUNT_TAKEN: [200, '这个账号已被使用，换一个试试'],
  REGISTRATION_CLOSED: [200, '本站现在不开放注册'],
  ACCOUNT_DISABLED: [200, '账号已被停用，如有疑问请联系管理员'],
  MAIL_NOT_CONFIGURED: [200, '本站没有配置邮件服务，请联系管理员重置密码'],
  WRONG_CODE: [200, '验证码不对或已过期'],
  TICKET_EXPIRED: [200, '二维码已过期，请刷新'],
  TICKET_USED: [200, '这个二维码已被处理'],
  TICKET_NOT_SCANNED: [200, '请先扫描二维码，核对设备后再确认'],
  LAST_SUPER_ADMIN: [200, '至少要保留一个可用的超级管理员'],
  ROLE_CODE_TAKEN: [200, '这个角色编码已被使用'],
  ROLE_BUILT_IN: [200, '内置角色不能这样修改'],
  ROLE_IN_USE: [200, '还有账号在用这个角色，请先收回'],
  GRANT_TOO_MUCH: [200, '不能给出或改动自己没有的权限'],
  PERMISSION_TAKEN: [200, '已有菜单使用这个权限'],
  MENU_MISPLACED: [200, '菜单不能放在这里'],
  MENU_HAS_CHILDREN: [200, '请先删除它的下级菜单'],
  CATEGORY_TAKEN: [200, '这个地址已有分类使用'],
  CATEGORY_IN_USE: [200, '还有文章在这个分类里，请先移走或停用分类'],
  PAGE_TAKEN: [200, '这个地址已有页面使用'],
  PAGE_BUILT_IN: [200, '内置页面不能删除、撤下或改地址'],
  TOO_MANY_PAGES: [200, '页面最多 200 个，请先删除不用的'],
  ESSAY_INCOMPLETE: [422, '提交前请填好标题、分类和正文'],
  ESSAY_NOT_EDITABLE: [200, '文章正在审核或待上架，请先撤回再修改'],
  TRANSITION_REFUSED: [200, '文章现在的状态不能这样操作'],
  REASON_REQUIRED: [422, '请写明理由'],
  WORDS_REFUSED: [422, '文中有不能发布的词语'],
  APPEAL_REFUSED: [200, '这次驳回不能申诉，或已经申诉过'],
  TOO_MANY_COLUMNS: [200, '专栏最多 50 个'],
  TAG_MOVING: [200, '标签正在处理，请稍后再试'],
  JOB_RUNNING: [200, '任务正在运行，请等它结束'],
  WORD_TAKEN: [200, '已有这个敏感词'],
  DICT_TAKEN: [200, '这个编码已有字典使用'],
  DICT_VALUE_TAKEN: [200, '这个字典里已有这个值'],
  DICT_HAS_ITEMS: [200, '这个字典里还有条目，请先删除条目'],
  FOLLOW_SELF: [200, '不能关注自己'],
  BLOCK_SELF: [200, '不能屏蔽自己'],
  TOO_MANY_BLOCKED: [200, '最多屏蔽 1000 人'],
  BLOCKED: [200, '对方不接受你的互动'],
  SWITCHED_OFF: [200, '本站现在没有开放这项功能'],
  COMMENTS_CLOSED: [200, '这篇文章没有开放评论'],
  EDIT_TOO_LATE: [200, '发布 15 分钟后不能再修改'],
  QUOTE_NOT_FOUND: [200, '正文里没有找到这段文字，可能刚刚修订过，请刷新后再选'],
  TOO_MANY_HIGHLIGHTS: [200, '划线太多了，请先整理'],
  THOUGHT_IS_PUBLIC: [200, '这条想法是公开的，请先删除公开的想法'],
  TOO_MANY_PINNED: [200, '最多置顶 3 条评论'],
  FOLDER_TAKEN: [200, '已有这个名称的收藏夹'],
  FOLDER_IS_DEFAULT: [200, '默认收藏夹不能删除'],
  FOLDER_WOULD_PUBLISH: [200, '默认收藏夹是公开的，请选择把里面的文章移到哪里'],
  TOO_MANY_TAGS: [200, '最多关注 200 个标签，请先取消几个'],
  TOO_MANY_FOLDERS: [200, '收藏夹最多 100 个'],
  TOO_MANY_COLLECTED: [200, '收藏已满，请先整理'],
  REPORT_SELF: [200, '不能举报自己'],
  ALREADY_HANDLED: [200, '已经处理过了'],
  APPLICATION_WAITING: [200, '上一份申请还在处理，请等待结果'],
  ALREADY_WRITER: [200, '你已经是作者，可以直接写文章'],
  TOO_MANY_PICKS: [200, '推荐的作者最多 20 位'],
  NOT_FOR_SALE: [200, '这项内容现在不能购买'],
  PRICE_CHANGED: [200, '价格刚刚变了，请看过新的价格再买'],
  ALREADY_OWNED: [200, '你已经买过了，不用再买'],
  BUY_OWN: [200, '自己的内容不用购买，也不能打赏自己'],
  BALANCE_TOO_LOW: [200, '余额不足，请充值或换一种支付方式'],
  EARNINGS_TOO_LOW: [200, '可提现的收益不足'],
  PAY_UNAVAILABLE: [200, '本站没有开通这种支付方式'],
  PAY_FAILED: [200, '支付方没有响应或拒绝了请求，请稍后再试'],
  WECHAT_CODE_REQUIRED: [200, '在微信内付款需要先授权'],
  ORDER_CLOSED: [200, '订单已经支付、取消或退款，不能再操作'],
  ORDER_NOT_PAID: [200, '只有已支付的订单可以退款'],
  REINDEX_RUNNING: [200, '正在重建索引，请等它完成'],
  REINDEX_FINISHED: [200, '这次重建已经结束了'],
  REFUND_TOO_LATE: [200, '超过了可退款的天数'],
  REFUND_NOT_REPEATABLE: [200, '这笔退款现在不用、也不能再退一次'],
  REFUND_SPENT: [200, '这笔充值已经花掉，不能退款'],
  TIER_TAKEN: [200, '已有这一档金额'],
  SANDBOX_ON: [200, '演示收银台开着，不能打款'],
  WITHDRAW_OWN: [200, '自己的提现要由别的工作人员处理'],
  MESSAGE_SELF: [200, '不能给自己发消息'],
  STRANGER_LIMIT: [200, '对方还没有回复，先等等吧：没有回复时最多发 3 条'],
  CHAT_LOCKED: [200, '能读全文的人才能参与这篇文章的群聊'],
  CHAT_MUTED: [200, '你在这个群聊里被禁言了'],
  CLIENT_ID_REUSED: [409, '同一个 clientId 已用于另一条消息'],
  RECALL_TOO_LATE: [200, '发出 2 分钟后不能再撤回'],
  ESSAY_SOLD: [200, '已有读者购买了这篇文章，不能删除；可以下架，购买者仍能阅读'],
  BACKUP_RUNNING: [200, '正在备份，请等它完成'],
  BACKUP_NO_SPACE: [200, '磁盘空间不足，不能备份'],
  MAIL_NOT_RETRYABLE: [200, '这封邮件不能重发：已经发出、内容已过期，或正在发送'],
  DEMO_HAS_PAYMENTS: [200, '有人付过真实的款项，请先退款'],
  TRANSFER_BUSY: [200, '还有一次没有结束，请稍后再试'],
  TRANSFER_REFUSED: [200, '现在不能这样做'],
  EXPORT_TOO_SOON: [200, '一小时只能导出一次，请稍后再试'],
  COLUMN_SOLD: [200, '已有读者购买了这个专栏，不能删除，其中的文章也不能移出'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof errorDefinitions;

/** How a client displays an error; `page` is the exception page. */
export const SHOW_TYPE = { silent: 0, warning: 1, error: 2, notification: 4, page: 9 } as const;
export type ShowType = (typeof SHOW_TYPE)[keyof typeof SHOW_TYPE];

export interface ErrorOptions {
  message?: string;
  /** Field name → Chinese message. */
  fields?: Record<string, string>;
  retryAfter?: number;
  showType?: ShowType;
  cause?: unknown;
}

/** Thrown by rules and actions on the server, and by the client when a call fails. */
export class CallError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfter: number | undefined;
  readonly showType: ShowType;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(options.message ?? errorDefinitions[code][1], { cause: options.cause });
    this.name = 'CallError';
    this.code = code;
    this.status = errorDefinitions[code][0];
    this.fields = options.fields;
    this.retryAfter = options.retryAfter;
    this.showType = options.showType ?? SHOW_TYPE.error;
  }
}

export const invalidField = (field: string, message: string) =>
  new CallError('INVALID', { message, fields: { [field]: message } });
