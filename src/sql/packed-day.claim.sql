-- Claims a day for packing; a change of its rows removes the claim. A day is not packed while it or the previous day is
-- dirty.
insert into packed_day (day, columns)
select @day, x'00'
where not exists (select 1 from dirty_day where day in (@day, @before))
on conflict (day) do update
set columns = excluded.columns
