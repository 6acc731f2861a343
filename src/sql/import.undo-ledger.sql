delete from ledger
where day = @day
