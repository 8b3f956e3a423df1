import { readItem, writeItem } from '@mozhan/client/storage.ts';
import type { Client } from '@mozhan/contract/client.ts';
import type { Router } from '#web/router/navigation.ts';
import type { Bill } from './bill.ts';

const LEFT = 'paying';

/** Asks WeChat who pays: leaves the page, and comes back to it with a code. */
export async function askWechat(api: Client, router: Router, bill: Bill): Promise<void> {
  const { url } = await api('GET core/fina/wechat/auth', { back: router.view().url });
  writeItem(LEFT, JSON.stringify(bill));
  location.assign(url);
}

interface Returned {
  bill: Bill;
  code: string;
}

/** What was being paid when WeChat was asked, once; the code is taken out of the address, as it serves once too. */
export function takeReturned(router: Router): Returned | undefined {
  const kept = readItem(LEFT);
  const [path = ''] = router.view().url.split('?');
  const search = new URLSearchParams(location.search);
  const code = search.get('code');
  if (kept === null || code === null) return undefined;
  writeItem(LEFT, null);
  search.delete('code');
  search.delete('state');
  const rest = search.toString();
  void router.navigate(path + (rest && `?${rest}`), { replace: true, keep: true });
  return { bill: JSON.parse(kept) as Bill, code };
}

interface WechatBridge {
  invoke: (name: string, params: Record<string, string>, done: (answer: { err_msg: string }) => void) => void;
}

/** WeChat puts it there some time after the page has loaded. */
function bridge(): Promise<WechatBridge> {
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

/** Opens WeChat's own sheet. Whether it was paid is for the server to say. */
export async function payInWechat(params: Record<string, string>): Promise<void> {
  const { invoke } = await bridge();
  await new Promise<void>((resolve) => invoke('getBrandWCPayRequest', params, () => resolve()));
}
