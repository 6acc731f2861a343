delete from import_day
where day = @day
