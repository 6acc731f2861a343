delete from shop_purchase
where order_id = @order_id
