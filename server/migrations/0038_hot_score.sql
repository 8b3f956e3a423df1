-- Ten times the attention weighs as much as seven days of youth, where it was half a day (decision 0029).
update essays set hot_score = log((1 + read_count + 10 * like_count + 20 * cmt_count + 20 * collect_count
    + 20 * share_count + 50 * reward_count)::float8) + extract(epoch from published_at)::float8 / 604800
where published_at is not null;
