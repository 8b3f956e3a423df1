import { z } from 'zod';
import { dayRange, id, listInput, oneOf, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { FLAG, ORDER_STATUS } from './enums.ts';
import { fen, payBy, RECHARGE_LIMITS } from './prices.ts';
import { userCard } from './users.ts';

export const orderKind = z.enum(['recharge', 'read', 'column', 'reward', 'member']).meta({ title: '类型' });
export type OrderKind = z.output<typeof orderKind>;

const { waiting, paid, cancelled, refunded } = ORDER_STATUS;

export const orderStatus = oneOf(waiting, paid, cancelled, refunded).meta({
  title: '状态',
  description: '0 待支付，1 已支付，2 已取消，3 已退款',
});
export type OrderStatus = z.output<typeof orderStatus>;

const paymentInstructions = z.object({
  url: z.string().optional().meta({ description: '付款页面的地址' }),
  qr: z.string().optional().meta({ description: '二维码的内容' }),
  jsapi: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: '微信内：WeixinJSBridge getBrandWCPayRequest 的参数' }),
  declined: z.boolean().optional().meta({ description: '演示收银台：拒绝了；到期之前还可以同意' }),
});
export type PaymentInstructions = z.output<typeof paymentInstructions>;

export const invoice = z.object({
  title: z.string().trim().min(1).max(100).meta({ title: '抬头' }),
  taxNo: z
    .string()
    .trim()
    .toUpperCase()
    .regex(
      /^([0-9A-Z]{15}|[0-9A-Z]{17,18}|[0-9A-Z]{20})?$/,
      '税号应是 15、17、18 或 20 位数字与字母；个人不填',
    )
    .meta({ title: '税号', description: '个人抬头为空' }),
  email: z.union([z.literal(''), z.email('邮箱地址的格式不对').max(100)]).meta({ title: '收票邮箱' }),
});
export type Invoice = z.output<typeof invoice>;

export const order = z.object({
  id,
  no: z.string().meta({ description: '订单号' }),
  kind: orderKind,
  /** Title of the purchase at the time of the order. */
  title: z.string(),
  target: z
    .object({ id, url: z.string().meta({ description: '在网站上的地址，没有页面的为空' }) })
    .nullable()
    .meta({ description: '文章、专栏或会员方案；充值为空' }),
  amount: z.int(),
  status: orderStatus,
  payBy,
  pay: paymentInstructions.nullable().meta({ description: '待支付时：如何付款' }),
  message: z.string().meta({ description: '打赏的留言' }),
  refundReason: z.string(),
  invoice: invoice.nullable(),
  expiresAt: time,
  paidAt: time.nullable(),
  refundedAt: time.nullable(),
  createdAt: time,
});
export type Order = z.output<typeof order>;

export const orderErrors = [
  'GONE',
  'NOT_FOR_SALE',
  'ALREADY_OWNED',
  'BUY_OWN',
  'BALANCE_TOO_LOW',
  'PAY_UNAVAILABLE',
  'PAY_FAILED',
  'BLOCKED',
  'WECHAT_CODE_REQUIRED',
] as const;

/** Payment inside WeChat uses JSAPI, which requires the payer's identity. */
export const wechatCode = z
  .string()
  .max(128)
  .optional()
  .meta({ title: '微信授权码', description: '在微信内付款时，由授权页带回的 code' });

export const listOrders = defineCall({
  method: 'GET',
  path: 'core/user/order',
  summary: '自己的订单，新的在前；带 id：其中一个（付款页用它等候结果）',
  access: 'user',
  input: listInput.extend({
    id: id.optional(),
    kind: orderKind.optional(),
    status: orderStatus.optional(),
  }),
  output: z.union([order, pageOf(order)]),
});

export const createOrder = defineCall({
  method: 'POST',
  path: 'core/user/order',
  summary: '下单；用余额时当场付清。金额由服务器按价格算出，只有充值要给 amount',
  access: 'user',
  input: z.object({
    kind: z.enum(['recharge', 'read', 'column', 'member']).meta({ title: '类型' }),
    targetId: id.optional().meta({ title: '购买的内容', description: '文章、专栏或会员方案；充值不用' }),
    amount: fen.min(RECHARGE_LIMITS.min).max(RECHARGE_LIMITS.max).optional().meta({ title: '金额（分）' }),
    price: z.int().optional().meta({
      title: '看到的价格',
      description: '买的人看到的价格（分）；与现在的不同则拒绝，不给则按现在的',
    }),
    payBy,
    wechatCode,
  }),
  output: order,
  errors: [...orderErrors, 'PRICE_CHANGED'],
  limit: { max: 600, per: 3600 },
});

export const updateOrder = defineCall({
  method: 'PUT',
  path: 'core/user/order',
  summary:
    '付款或取消。pay：余额订单再付一次；演示收银台的订单为收银台的同意；其他为再取一次付款方式并向支付方核对结果',
  access: 'user',
  input: z.object({ id, action: z.enum(['pay', 'cancel']).meta({ title: '操作' }) }),
  output: order,
  errors: [...orderErrors, 'ORDER_CLOSED'],
  limit: { max: 600, per: 600 },
});

export const setInvoice = defineCall({
  method: 'PUT',
  path: 'core/user/order/invoice',
  summary: '给已支付的订单填写（或修改）发票信息',
  access: 'user',
  input: invoice.extend({ id }),
  output: order,
  errors: ['ORDER_CLOSED'],
});

/** Whoever knows the URL may pay, as with any QR code. */
const cashierKey = {
  no: z
    .string()
    .regex(/^\d{20}$/, '订单号的格式不对')
    .meta({ title: '订单号' }),
  key: z.string().max(64).meta({ title: '付款码' }),
};
const cashierOrder = z.object({
  no: z.string(),
  title: z.string(),
  amount: z.int(),
  status: orderStatus,
  declined: z.boolean(),
  expiresAt: time,
});
export type CashierOrder = z.output<typeof cashierOrder>;

export const getCashierOrder = defineCall({
  method: 'GET',
  path: 'core/fina/cashier',
  summary: '演示收银台：一张待付的订单；只在演示收银台开着时有',
  access: 'anyone',
  input: z.object(cashierKey),
  output: cashierOrder,
});

export const submitCashierAction = defineCall({
  method: 'POST',
  path: 'core/fina/cashier',
  summary: '演示收银台：同意或拒绝；可让通知晚到（delay 秒）、重复（times 次）',
  access: 'anyone',
  input: z.object({
    ...cashierKey,
    action: z.enum(['approve', 'decline']).meta({ title: '操作' }),
    delay: z.int().min(0).max(600).default(0).meta({ title: '延迟（秒）' }),
    times: z.int().min(1).max(5).default(1).meta({ title: '通知次数' }),
  }),
  output: cashierOrder,
  errors: ['ORDER_CLOSED'],
  limit: { max: 120, per: 60 },
});

export const getWechatAuth = defineCall({
  method: 'GET',
  path: 'core/fina/wechat/auth',
  summary: '在微信内付款前：微信授权页的地址，授权后带着 code 回到 back',
  access: 'user',
  input: z.object({
    back: z
      .string()
      .max(300)
      .regex(/^\/(?![/\\])[^\s\\]*$/, '应是本站的地址')
      .meta({ title: '回到' }),
  }),
  output: z.object({ url: z.string() }),
  errors: ['PAY_UNAVAILABLE'],
});

export const refundProblem = z
  .enum(['closed', 'abnormal', 'refused'])
  .meta({ description: '支付方没有退成：closed 退款关闭，abnormal 退款异常，refused 拒绝了退款请求' });
export type RefundProblem = z.output<typeof refundProblem>;

const staffOrder = order.omit({ pay: true }).extend({
  user: userCard.nullable().meta({ description: '已注销的人为空' }),
  payee: userCard.nullable().meta({ description: '收款的作者' }),
  commission: z.int().meta({ description: '其中的平台服务费' }),
  tradeNo: z.string().meta({ description: '支付方的交易号' }),
  refundedBy: userCard.nullable(),
  refundable: z.boolean(),
  refundPending: z.boolean().meta({ description: '已退款，支付方还没有确认到账' }),
  refundProblem: refundProblem.nullable().meta({ description: '支付方没有退成的原因；空：没有问题' }),
  refundNo: z.string().meta({ description: '支付方的退款单号；没有退款或余额支付的为空' }),
});
export type StaffOrder = z.output<typeof staffOrder>;

export const listStaffOrders = defineCall({
  method: 'GET',
  path: 'core/sys/order/',
  summary: '全部订单，新的在前',
  access: 'order:list',
  input: listInput.extend({
    keyword: z
      .string()
      .trim()
      .max(64)
      .optional()
      .meta({ title: '关键词', description: '订单号、交易号、付款人的昵称或账号' }),
    userId: id.optional().meta({ title: '付款人' }),
    kind: orderKind.optional(),
    status: orderStatus.optional(),
    payBy: payBy.optional(),
    invoice: z.literal(FLAG.on).optional().meta({ title: '要发票的' }),
    least: fen.min(0).max(100_000_000).optional().meta({ title: '最少（分）' }),
    most: fen.min(0).max(100_000_000).optional().meta({ title: '最多（分）' }),
    ...dayRange,
    ...sortBy('createdAt', 'amount'),
  }),
  output: pageOf(staffOrder),
});

export const refundOrder = defineCall({
  method: 'PUT',
  path: 'core/sys/order/refund',
  summary: '全额退款，原路退回；收回阅读权限或会员天数，作者的所得从收益中扣回',
  access: 'order:refund',
  input: z.object({
    id,
    reason: z.string().trim().min(1, '请写明理由').max(200).meta({ title: '理由' }),
  }),
  output: staffOrder,
  errors: ['ORDER_NOT_PAID', 'REFUND_TOO_LATE', 'REFUND_SPENT', 'PAY_FAILED', 'PAY_UNAVAILABLE'],
});

export const repeatRefund = defineCall({
  method: 'PUT',
  path: 'core/sys/order/refund/repeat',
  summary:
    '支付方没有退成时再退一次：退款关闭的换新的退款单号；退款异常的重新核对结果，toShop=true 时请支付方把钱退到本站的结算账户，由本站另行转给付款人',
  access: 'order:refund',
  input: z.object({ id, toShop: z.boolean().optional().meta({ title: '退到本站的结算账户' }) }),
  output: staffOrder,
  errors: ['REFUND_NOT_REPEATABLE', 'PAY_FAILED', 'PAY_UNAVAILABLE'],
});

export const calls = [
  listOrders,
  createOrder,
  updateOrder,
  setInvoice,
  getCashierOrder,
  submitCashierAction,
  getWechatAuth,
  listStaffOrders,
  refundOrder,
  repeatRefund,
] as const;
