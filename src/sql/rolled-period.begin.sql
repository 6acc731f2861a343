-- Not for a period with a day that was marked in the meantime: sums of its parts may still hold what was erased.
insert into rolled_period (period, first_day, last_day, complete)
select @period, @first_day, @last_day, 0
where not exists (select 1 from dirty_day where day between @first_day and @last_day)
on conflict (period) do nothing
