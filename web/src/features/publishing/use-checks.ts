import { findTextParts, type TextParts } from '@mozhan/editor/text-parts.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import { useApi } from '#web/lib/app-context.ts';

/** As many as one call checks. */
const MAX_CHECKED_LINKS = 50;
const MAX_URL_LENGTH = 2000;
const NO_PARTS: TextParts = { links: [], picturesWithoutText: [] };

function readParts(editor: EditorModel): TextParts {
  const view = editor.view.get();
  return view === null ? NO_PARTS : findTextParts(view.state);
}

/** What the text of an opened editor contains, and which of its links are dead. */
export function useTextChecks(editor: EditorModel) {
  const api = useApi();
  const [parts] = useState(() => readParts(editor));
  const urls = parts.links
    .map(({ url }) => url)
    .filter((url) => url.length <= MAX_URL_LENGTH)
    .slice(0, MAX_CHECKED_LINKS);
  const { data, isFetching } = useQuery({
    queryKey: ['link-checks', urls],
    enabled: urls.length > 0,
    queryFn: ({ signal }) => api('POST core/essay/link', { urls }, { signal }),
    // Each check asks other sites.
    staleTime: 10 * 60_000,
    refetchOnWindowFocus: false,
    retry: false,
  });
  const deadLinks = (data?.list ?? [])
    .filter(({ state }) => state === 'dead')
    .flatMap(({ url, reason }) => {
      const link = parts.links.find((each) => each.url === url);
      return link === undefined ? [] : [{ ...link, reason }];
    });
  return { picturesWithoutText: parts.picturesWithoutText, deadLinks, isChecking: isFetching };
}
