import { downloadEssay } from '#contract/downloads.ts';
import { bind } from '../../../http/route.ts';
import { createLink } from './actions.ts';

export const routes = [bind(downloadEssay, createLink)];
