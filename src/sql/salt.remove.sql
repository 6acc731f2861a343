delete from day_salt
where day = @day
