import { runTool } from './tools.ts';

const { code } = await runTool('biome', ['check', '--write', ...process.argv.slice(2)], { show: true });
process.exitCode = code;
