/** Shows every component of `ui/` in every state, for contributors: `npm run ui`. Not part of the site. */
import '../styles/tokens.css';
import '../styles/base.css';
import '../ui/utilities.css';
import { createClient } from '@mozhan/contract/client.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { AppContext } from '#web/lib/app-context.ts';
import { syncTheme, toggleTheme } from '#web/lib/theme.ts';
import { Button } from '#web/ui/button.tsx';
import { ThemeIcon } from '#web/ui/theme-icon.tsx';
import { Toasts } from '#web/ui/toast.tsx';
import { Content } from './content.tsx';
import { Controls } from './controls.tsx';
import styles from './gallery.module.css';
import { Layout } from './layout.tsx';
import { Messages } from './messages.tsx';

/** There is no server: API calls stay pending. */
const api = createClient(() => new Promise(() => {}));

const sections = [
  { id: 'layout', title: '布局' },
  { id: 'controls', title: '控件' },
  { id: 'messages', title: '消息与窗口' },
  { id: 'content', title: '内容' },
];

const Gallery = () => (
  <AppContext value={{ api, basePath: '', siteUrl: '', filesUrl: '' }}>
    <QueryClientProvider client={new QueryClient()}>
      <header className={`wrap row apart gap-4 divided ${styles.head}`}>
        <nav className={`row gap-4 ${styles.places}`} aria-label="组件">
          {sections.map(({ id, title }) => (
            <a key={id} className="brand-hover" href={`#${id}`}>
              {title}
            </a>
          ))}
        </nav>
        <Button variant="ghost" square aria-label="切换深浅色" onClick={toggleTheme}>
          <ThemeIcon />
        </Button>
      </header>
      <div className={`wrap stack gap-5 ${styles.page}`}>
        <h1>界面组件</h1>
        <Layout />
        <Controls />
        <Messages />
        <Content />
      </div>
      <Toasts />
    </QueryClientProvider>
  </AppContext>
);

syncTheme();
const root = document.getElementById('root');
// Errors in this gallery are intended examples.
if (root !== null) createRoot(root, { onCaughtError: () => {} }).render(<Gallery />);
