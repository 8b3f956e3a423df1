import { downloadEssay } from '@mozhan/contract/downloads.ts';
import { bind } from '../../../http/route.ts';
import { createDownloadLink } from './actions.ts';

export const routes = [bind(downloadEssay, createDownloadLink)];
