update import_day
set stored = 1
where day = @day
