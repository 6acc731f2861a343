delete from rolled_period
where period in (select value from json_each(@periods))
