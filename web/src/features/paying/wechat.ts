import { readItem, writeItem } from '@mozhan/client/storage.ts';
import type { Client } from '@mozhan/contract/client.ts';
import type { Router } from '#web/router/navigation.ts';
import type { Bill } from './bill.ts';

const PENDING_BILL_KEY = 'paying';

/** Asks WeChat for the payer's identity: leaves the page, and comes back to it with a code. */
export async function requestWechatCode(api: Client, router: Router, bill: Bill): Promise<void> {
  const { url } = await api('GET core/fina/wechat/auth', { back: router.view().url });
  writeItem(PENDING_BILL_KEY, JSON.stringify(bill));
  location.assign(url);
}

interface WechatReturn {
  bill: Bill;
  code: string;
}

/** Returns the stored bill and the code once, and removes the code from the URL, as it is valid only once. */
export function consumeWechatReturn(router: Router): WechatReturn | undefined {
  const storedBill = readItem(PENDING_BILL_KEY);
  const [path = ''] = router.view().url.split('?');
  const search = new URLSearchParams(location.search);
  const code = search.get('code');
  if (storedBill === null || code === null) return undefined;
  writeItem(PENDING_BILL_KEY, null);
  search.delete('code');
  search.delete('state');
  const rest = search.toString();
  void router.navigate(path + (rest && `?${rest}`), { replace: true, keepScroll: true });
  return { bill: JSON.parse(storedBill) as Bill, code };
}

interface WechatBridge {
  invoke: (
    name: string,
    params: Record<string, string>,
    done: (response: { err_msg: string }) => void,
  ) => void;
}

/** WeChat adds the bridge some time after the page has loaded. */
function loadBridge(): Promise<WechatBridge> {
  const host = window as { WeixinJSBridge?: WechatBridge };
  return new Promise((resolve) => {
    if (host.WeixinJSBridge !== undefined) resolve(host.WeixinJSBridge);
    else
      document.addEventListener(
        'WeixinJSBridgeReady',
        () => host.WeixinJSBridge && resolve(host.WeixinJSBridge),
        { once: true },
      );
  });
}

/** Opens WeChat's payment sheet. Only the server knows whether the order was paid. */
export async function payInWechat(params: Record<string, string>): Promise<void> {
  const { invoke } = await loadBridge();
  await new Promise<void>((resolve) => invoke('getBrandWCPayRequest', params, () => resolve()));
}
