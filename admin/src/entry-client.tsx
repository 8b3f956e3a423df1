import './styles/base.css';
import * as session from '@mozhan/client/session.ts';
import { syncWithOtherTabs } from '@mozhan/client/session.ts';
import { createBrowserTransport } from '@mozhan/client/transport.ts';
import { createClient } from '@mozhan/contract/client.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { fetchWithIdleHeader, trackActivity } from './lib/idle.ts';
import { createQueryClient } from './lib/queries.ts';
import { createRouter } from './lib/router.ts';
import { addNonceToStyles, readNonce, readStartData } from './lib/start-data.ts';
import { watchScheme } from './lib/theme.ts';
import { loadScreen } from './outlet.tsx';
import { screenAt } from './screens.ts';

const data = readStartData();
const nonce = readNonce();
const router = createRouter(`${data.basePath}/admin`);
const { basePath } = data;
const api = createClient(createBrowserTransport({ basePath, session, fetcher: fetchWithIdleHeader }));

trackActivity();
addNonceToStyles(nonce);
watchScheme();
syncWithOtherTabs();
router.start();

// While the user's permissions are requested.
const name = screenAt(router.location().path);
if (name !== undefined) loadScreen(name).catch(() => {});

const root = document.getElementById('root');
if (root === null) throw new Error('the document has no root');
createRoot(root).render(
  <App app={{ ...data, api, router }} queryClient={createQueryClient(data.basePath)} nonce={nonce} />,
);
