-- The recovery code with this hash, used up.
delete from recovery_code
where hash = @hash
  and user_id = @user_id
