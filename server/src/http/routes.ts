import type { FastifyInstance } from 'fastify';

const escapeText = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function toPattern(url: string): RegExp {
  const source = url
    .split(/(:\w+(?:\([^)]*\))?|\*)/)
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : escapeText(part)));
  return new RegExp(`^${source.join('')}$`);
}

/** Folders whose routes answer every address in them. */
const FOLDERS = /^\/(api|admin|assets|files)(\/|$)/;

/** Returns whether the server has a route for a path, without the base path; knows routes that are added after this call. */
export function collectRoutes(server: FastifyInstance, basePath: string): (path: string) => boolean {
  const fixed = new Set<string>();
  const patterns = new Map<string, RegExp>();
  server.addHook('onRoute', ({ url, method }) => {
    if (!url.startsWith(basePath) || ![method].flat().includes('GET')) return;
    const path = url.slice(basePath.length);
    if (FOLDERS.test(path)) return;
    if (/[:*]/.test(path)) patterns.set(path, toPattern(path));
    else fixed.add(path);
  });
  return (path) =>
    FOLDERS.test(path) || fixed.has(path) || patterns.values().some((pattern) => pattern.test(path));
}
