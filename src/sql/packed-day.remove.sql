delete from packed_day
where day in (@day, @next)
