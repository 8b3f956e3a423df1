import type { Config } from '../config/config.ts';
import { createDiskFiles } from './disk.ts';
import type { FileStore } from './files.ts';
import { createS3Files } from './s3.ts';

export const openFiles = (config: Config): Promise<FileStore> =>
  config.s3 === null ? createDiskFiles(config) : createS3Files(config, config.s3);
