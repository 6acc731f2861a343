delete from packed_day
where day < @day
