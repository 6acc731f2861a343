-- A day that was changed meanwhile, or the one before it, is not packed.
insert into packed_day (day, columns)
select @day, @columns
where not exists (select 1 from dirty_day where day in (@day, @before))
on conflict (day) do nothing
