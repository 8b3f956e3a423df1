export {
  type FeedFormat,
  type FeedScope,
  getPictureText,
  makeFeed,
  makeSitemapIndex,
  makeSitemapPart,
} from './actions.ts';
export { type Ink, toPictureSvg } from './picture.ts';
