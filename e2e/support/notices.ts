import type { TestUser } from './users.ts';

const browsers = ['MicroMessenger', 'DingTalk', ' Edg/', ' OPR/', ' Firefox/', ' Chrome/', ' Safari/'];
const systems = ['iPhone', 'iPad', 'HarmonyOS', 'Android', 'Windows', 'Mac OS X', 'Linux'];
const devices = browsers.flatMap((browser) => systems.map((system) => `${system}${browser}`));

/** Signs the user in on new devices, which creates one notice each. */
export async function createNotices(
  baseURL: string,
  { account, password }: TestUser,
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
