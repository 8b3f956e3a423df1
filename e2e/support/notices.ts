import type { Person } from './people.ts';

const browsers = ['MicroMessenger', 'DingTalk', ' Edg/', ' OPR/', ' Firefox/', ' Chrome/', ' Safari/'];
const systems = ['iPhone', 'iPad', 'HarmonyOS', 'Android', 'Windows', 'Mac OS X', 'Linux'];
const devices = browsers.flatMap((browser) => systems.map((system) => `${system}${browser}`));

/** Signs the person in elsewhere, on devices not seen before: each is told to them. */
export async function causeNotices(
  baseURL: string,
  { account, password }: Person,
  count: number,
): Promise<void> {
  for (const device of devices.slice(0, count)) {
    const response = await fetch(new URL('/api/core/account/login', baseURL), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': device },
      body: JSON.stringify({ account, password }),
    });
    if (!response.ok) throw new Error(`not signed in: ${response.status}`);
  }
}
