import { print } from './progress.mjs';
import { runTool } from './tools.ts';

print('the components of web/src/ui, in every state; Ctrl-C ends it');
const { code } = await runTool('vite', ['--config', 'web/vite.gallery.config.ts', ...process.argv.slice(2)], {
  show: true,
});
process.exitCode = code;
