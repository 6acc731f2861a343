-- The mark of a day that is being packed; what changes its rows takes it away. A day that was changed, or the one before it,
-- is not packed.
insert into packed_day (day, columns)
select @day, x'00'
where not exists (select 1 from dirty_day where day in (@day, @before))
on conflict (day) do update
set columns = excluded.columns
