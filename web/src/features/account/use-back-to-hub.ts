import { type MouseEvent, useEffect, useRef } from 'react';

/** Keys of history entries (see browser-history.ts) that directly follow the hub. */
const entriesAfterHub = new Set<string>();
const seenEntries = new Set<string>();

const entryKey = () => (history.state as { key?: string } | null)?.key ?? '';

/**
 * Returns the click handler of the link to the hub: it goes back where the entry before is the hub, so that the hub
 * keeps its scroll position and the history does not grow.
 */
export function useBackToHub(isHub: boolean): (event: MouseEvent) => void {
  const wasHub = useRef(false);
  useEffect(() => {
    const key = entryKey();
    if (!isHub && wasHub.current && !seenEntries.has(key)) entriesAfterHub.add(key);
    seenEntries.add(key);
    wasHub.current = isHub;
  });
  return (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (!entriesAfterHub.has(entryKey())) return;
    event.preventDefault();
    history.back();
  };
}
