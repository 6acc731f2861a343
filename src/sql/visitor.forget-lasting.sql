delete from visitor
where day = @day
