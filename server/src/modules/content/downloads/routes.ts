import { downloadEssay } from '@mozhan/contract/downloads.ts';
import { bind } from '../../../http/route.ts';
import { createLink } from './actions.ts';

export const routes = [bind(downloadEssay, createLink)];
