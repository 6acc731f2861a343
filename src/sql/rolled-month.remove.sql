delete from rolled_month
where month = @month
