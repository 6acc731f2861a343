-- How many rows an erasure deleted.
select (select count(*) from temp.erased_view) as views,
  (select count(*) from temp.erased_event) as events,
  (
    select count(*)
    from temp.erased_session s
    where not exists (select 1 from temp.left_view v where v.session_id = s.id)
  ) as sessions
