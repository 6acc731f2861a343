-- name: archive.has-sums
-- Whether a day has rollups.
select exists (select 1 from site_day where day = @day)
  or exists (select 1 from event_rollup where period = @day) as found

-- name: archive.clear-day.script
-- Deletes the raw rows of a day; the target is the span of its view ids.
delete from event_property
where event_id >= (select id from temp.target)
  and event_id < (select next_id from temp.target);

delete from recent_id
where id >= (select id from temp.target)
  and id < (select next_id from temp.target);

delete from event
where id >= (select id from temp.target)
  and id < (select next_id from temp.target);

delete from view
where id >= (select id from temp.target)
  and id < (select next_id from temp.target);

-- Sessions that began on the day. One that continues keeps its row for the views of the next day.
delete from session
where started_at >= (select id / 1048576 from temp.target)
  and started_at < (select next_id / 1048576 from temp.target)
  and (
    ended_at < (select next_id / 1048576 from temp.target)
    or not exists (
      select 1
      from view v
      where v.id >= (select next_id from temp.target)
        and v.id < (session.ended_at + 1) * 1048576
        and v.session_id = session.id
    )
  );
